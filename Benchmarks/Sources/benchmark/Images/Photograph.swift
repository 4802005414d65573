import Easel

/// Images that compress like photographs, the same in every run on every machine.
enum Photograph {
    /// Makes an image with smooth light, edges, texture of every size and a little grain.
    ///
    /// - Parameter alpha: Returns the alpha at a position from 0 to 1; opaque without it.
    static func make(
        _ size: PixelSize, seed: UInt64 = 1, alpha: ((Double, Double) -> Double)? = nil
    ) throws -> DecodedImage {
        let layers = [3, 7, 17, 41, 101, 251, 613].enumerated().map { index, cells in
            Layer(cells: cells, amplitude: 90 / Double(index + 1), seed: seed &* 1_000 &+ UInt64(index))
        }
        var grain = Shuffle()
        let pixels = try PixelBuffer(size: size, isOpaque: alpha == nil) { bytes, bytesPerRow in
            for y in 0..<size.height {
                let v = Double(y) / Double(size.height)
                for x in 0..<size.width {
                    let u = Double(x) / Double(size.width)
                    var level = 110.0
                    var hue = 0.0
                    for (index, layer) in layers.enumerated() {
                        let value = layer.value(u, v)
                        level += value
                        if index < 3 { hue += layer.value(v, u) }
                    }
                    // A ridge, with darker pixels below.
                    if v > 0.55 + layers[1].value(u, 0.5) / 600 { level -= 60 }
                    level += Double(grain.next() & 7)
                    let opacity = alpha?(u, v) ?? 1
                    let start = y * bytesPerRow + x * 4
                    bytes[start] = component((level + hue * 0.4) * opacity)
                    bytes[start + 1] = component(level * opacity)
                    bytes[start + 2] = component((level - hue * 0.3) * opacity)
                    bytes[start + 3] = component(255 * opacity)
                    // Limits each colour to its alpha.
                    for channel in 0..<3 { bytes[start + channel] = min(bytes[start + channel], bytes[start + 3]) }
                }
            }
        }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata())
    }

    private static func component(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255)) }

    /// Random heights at the corners of a grid, interpolated smoothly.
    private struct Layer {
        private let cells: Int
        private let heights: [Double]

        init(cells: Int, amplitude: Double, seed: UInt64) {
            self.cells = cells
            var state = seed
            heights = (0..<((cells + 1) * (cells + 1))).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return (Double(state >> 40) / Double(1 << 24) - 0.5) * amplitude
            }
        }

        func value(_ u: Double, _ v: Double) -> Double {
            let (x, y) = (u * Double(cells), v * Double(cells))
            let (column, row) = (min(Int(x), cells - 1), min(Int(y), cells - 1))
            let (s, t) = (Self.smooth(x - Double(column)), Self.smooth(y - Double(row)))
            let corner = row * (cells + 1) + column
            let top = heights[corner] + (heights[corner + 1] - heights[corner]) * s
            let below = corner + cells + 1
            let bottom = heights[below] + (heights[below + 1] - heights[below]) * s
            return top + (bottom - top) * t
        }

        private static func smooth(_ t: Double) -> Double { t * t * (3 - 2 * t) }
    }
}
