package import EaselCore

/// An image as indices into a palette.
package struct GIFIndexedImage {
    /// The palette: at most 256 opaque colors.
    package var colors: [UInt32]
    /// The index of transparent pixels, which can be beyond the palette.
    package var transparentIndex: UInt8?
    package var indices: [UInt8]

    /// The bits of an index, 1 to 8.
    var bitCount: Int {
        let count = max(2, colors.count, transparentIndex.map { Int($0) + 1 } ?? 0)
        return Int.bitWidth - (count - 1).leadingZeroBitCount
    }
}

/// A quantizer that reduces an image to a palette: its own colors, or a median-cut palette with Floyd-Steinberg
/// dithering (1976).
package enum GIFQuantizer {
    /// Reduces an image to at most 256 colors and one-bit alpha. Ignores alpha if memory is insufficient.
    package static func quantize(_ pixels: PixelBuffer) -> GIFIndexedImage {
        quantize((try? pixels.withOneBitAlpha()) ?? pixels, over: nil)
    }

    /// Returns at most `count` colors of an image, the most frequent first, and the number of pixels of each. Ignores
    /// pixels that are more transparent than opaque.
    package static func palette(of pixels: PixelBuffer, count: Int) -> [(color: ImageColor, population: Int)] {
        let opaque = (try? pixels.withOneBitAlpha()) ?? pixels
        return GIFMedianCut.populations(of: drawnPixels(of: opaque, over: nil), count: max(1, count))
            .map { color, population in (ImageColor(color), population) }
            .sorted { $0.population > $1.population }
    }

    /// - Parameters:
    ///   - pixels: opaque pixels or 0.
    ///   - base: the canvas beneath, of the same size. Equal pixels are not drawn.
    static func quantize(_ pixels: PixelBuffer, over base: PixelBuffer?) -> GIFIndexedImage {
        let drawn = drawnPixels(of: pixels, over: base)
        let hasTransparency = drawn.contains(0)
        let capacity = hasTransparency ? 255 : 256
        let table = GIFColorTable(of: drawn, capacity: capacity)
        let colors = table?.colors ?? GIFMedianCut.colors(of: drawn, count: capacity)
        let transparent = hasTransparency ? UInt8(colors.count) : nil
        let indices: [UInt8]
        if let table {
            indices = drawn.map { $0 == 0 ? transparent ?? 0 : table.index(of: $0) }
        } else {
            var dither = GIFDither(colors: colors, width: pixels.width)
            indices = dither.indices(of: drawn, transparent: transparent ?? 0)
        }
        return GIFIndexedImage(colors: colors, transparentIndex: transparent, indices: indices)
    }

    /// Returns the pixels row by row; 0 for those that are not drawn.
    private static func drawnPixels(of pixels: PixelBuffer, over base: PixelBuffer?) -> [UInt32] {
        var drawn: [UInt32] = []
        drawn.reserveCapacity(pixels.width * pixels.height)
        for y in 0..<pixels.height {
            pixels.withRow(y) { row in
                guard let base else { return drawn.append(contentsOf: row) }
                base.withRow(y) { below in
                    for x in row.indices { drawn.append(row[x] == below[x] ? 0 : row[x]) }
                }
            }
        }
        return drawn
    }
}

/// The colors of an image with few colors, and their indices.
struct GIFColorTable {
    private(set) var colors: [UInt32] = []
    /// The hash table's keys, four slots for each color; 0 is empty, since it is not an opaque color.
    private var keys = [UInt32](repeating: 0, count: 1024)
    private var values = [UInt8](repeating: 0, count: 1024)

    /// Returns `nil` for more than `capacity` colors, which is at most 256. Ignores pixels of 0.
    init?(of pixels: [UInt32], capacity: Int) {
        var last: UInt32 = 0
        for pixel in pixels where pixel != 0 && pixel != last {
            last = pixel
            let slot = slot(of: pixel)
            if keys[slot] == pixel { continue }
            guard colors.count < capacity else { return nil }
            keys[slot] = pixel
            values[slot] = UInt8(truncatingIfNeeded: colors.count)
            colors.append(pixel)
        }
    }

    func index(of color: UInt32) -> UInt8 { values[slot(of: color)] }

    /// Returns the slot of a color, or the empty slot for it.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while keys[slot] != 0, keys[slot] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}

/// Median cut (Heckbert, 1982): splits the box of all colors until there are as many boxes as palette entries.
///
/// Colors with equal upper five bits of each component count as one, represented by their mean.
enum GIFMedianCut {
    private struct Bin {
        var count = 0
        var sums = SIMD3<Int>.zero

        /// The mean color: red, green, blue.
        var mean: SIMD3<Int> { sums / SIMD3(repeating: max(count, 1)) }
    }

    private struct Box {
        var bins: [Bin]
        let count: Int
        /// The component with the largest extent, and that extent.
        let axis: Int
        let length: Int

        init(_ bins: [Bin]) {
            self.bins = bins
            count = bins.reduce(0) { $0 + $1.count }
            var low = SIMD3<Int>(repeating: 255)
            var high = SIMD3<Int>.zero
            for bin in bins {
                low = pointwiseMin(low, bin.mean)
                high = pointwiseMax(high, bin.mean)
            }
            let sides = high &- low
            axis = (0..<3).max { sides[$0] < sides[$1] } ?? 0
            length = sides[axis]
        }

        /// The priority of a split: the error of a box grows with its population and the square of its extent.
        var weight: Int { bins.count > 1 ? count * length * length : -1 }

        /// Splits the box into halves of similar population, each with at least one color.
        func halves() -> (Box, Box) {
            let sorted = bins.sorted { $0.mean[axis] < $1.mean[axis] }
            var cumulativeCount = 0
            let middle = sorted.firstIndex { bin in
                cumulativeCount += bin.count
                return cumulativeCount * 2 >= count
            }
            let cut = min(max((middle ?? 0) + 1, 1), sorted.count - 1)
            return (Box(Array(sorted[..<cut])), Box(Array(sorted[cut...])))
        }

        var color: UInt32 {
            let sums = bins.reduce(SIMD3<Int>.zero) { $0 &+ $1.sums }
            let mean = (sums &+ SIMD3(repeating: count / 2)) / SIMD3(repeating: max(count, 1))
            return PackedPixel.opaque(
                red: UInt8(clamping: mean[0]), green: UInt8(clamping: mean[1]), blue: UInt8(clamping: mean[2]))
        }
    }

    /// Returns at most `count` opaque colors for opaque pixels. Ignores pixels of 0.
    static func colors(of pixels: [UInt32], count: Int) -> [UInt32] {
        boxes(of: pixels, count: count).map(\.color)
    }

    /// Returns at most `count` opaque colors, and the number of pixels of each.
    static func populations(of pixels: [UInt32], count: Int) -> [(color: UInt32, population: Int)] {
        boxes(of: pixels, count: count).filter { $0.count > 0 }.map { ($0.color, $0.count) }
    }

    private static func boxes(of pixels: [UInt32], count: Int) -> [Box] {
        var bins = [Bin](repeating: Bin(), count: 1 << 15)
        for pixel in pixels where pixel != 0 {
            // The upper five bits of each component, a number below 32,768.
            let (red, green, blue) = (pixel >> 9 & 0x7C00, pixel >> 6 & 0x03E0, pixel >> 3 & 0x001F)
            let bin = Int(red | green | blue)
            bins[bin].count += 1
            bins[bin].sums &+= SIMD3(Int(pixel >> 16 & 0xFF), Int(pixel >> 8 & 0xFF), Int(pixel & 0xFF))
        }
        var boxes = [Box(bins.filter { $0.count > 0 })]
        while boxes.count < count {
            guard let widest = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }),
                boxes[widest].weight > 0
            else { break }
            let (first, second) = boxes[widest].halves()
            boxes[widest] = first
            boxes.append(second)
        }
        return boxes
    }
}

/// A dither that maps pixels to a palette with error diffusion to later neighbors.
struct GIFDither {
    private let colors: [UInt32]
    private let width: Int
    /// A cache of the nearest color, by the upper five bits of each component; -1 if it is not computed yet.
    private var nearest = [Int16](repeating: -1, count: 1 << 15)
    /// The errors from the previous and the current row, in sixteenths, with one extra pixel at either end.
    private var errors: [SIMD3<Int32>]
    private var nextErrors: [SIMD3<Int32>]

    init(colors: [UInt32], width: Int) {
        self.colors = colors
        self.width = width
        errors = Array(repeating: .zero, count: width + 2)
        nextErrors = errors
    }

    /// - Parameter pixels: the pixels row by row; 0 maps to the index `transparent`.
    mutating func indices(of pixels: [UInt32], transparent: UInt8) -> [UInt8] {
        var indices: [UInt8] = []
        indices.reserveCapacity(pixels.count)
        for start in stride(from: 0, to: pixels.count, by: width) {
            for x in 0..<width {
                let pixel = pixels[start + x]
                indices.append(pixel == 0 ? transparent : index(of: pixel, at: x + 1))
            }
            swap(&errors, &nextErrors)
            for x in nextErrors.indices { nextErrors[x] = .zero }
        }
        return indices
    }

    private mutating func index(of pixel: UInt32, at position: Int) -> UInt8 {
        let target = Self.components(pixel) &+ (errors[position] &+ SIMD3(repeating: 8)) &>> SIMD3(repeating: 4)
        let clamped = target.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
        let index = nearestColor(to: clamped)
        let error = clamped &- Self.components(colors[index])
        errors[position + 1] &+= error &* SIMD3(repeating: 7)
        nextErrors[position - 1] &+= error &* SIMD3(repeating: 3)
        nextErrors[position] &+= error &* SIMD3(repeating: 5)
        nextErrors[position + 1] &+= error
        return UInt8(truncatingIfNeeded: index)
    }

    private mutating func nearestColor(to components: SIMD3<Int32>) -> Int {
        let slot = Int((components[0] >> 3) << 10 | (components[1] >> 3) << 5 | components[2] >> 3)
        if nearest[slot] >= 0 { return Int(nearest[slot]) }
        var best = 0
        var minimum = Int32.max
        for (index, color) in colors.enumerated() {
            let difference = components &- Self.components(color)
            // Green has the highest weight, as in human vision.
            let distance = (difference &* difference &* SIMD3(2, 4, 1)).wrappedSum()
            if distance < minimum { (minimum, best) = (distance, index) }
        }
        nearest[slot] = Int16(truncatingIfNeeded: best)
        return best
    }

    /// Returns red, green, blue.
    @inline(__always)
    private static func components(_ pixel: UInt32) -> SIMD3<Int32> {
        SIMD3(Int32(pixel >> 16 & 0xFF), Int32(pixel >> 8 & 0xFF), Int32(pixel & 0xFF))
    }
}
