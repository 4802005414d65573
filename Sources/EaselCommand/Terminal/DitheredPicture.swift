import EaselCore

/// A picture in the colours of a palette, dithered (Floyd and Steinberg) from the top to the bottom.
struct DitheredPicture {
    /// The colours that its indices stand for.
    private(set) var palette: Palette

    private let colors: [[OpaqueColor?]]
    /// Sixteenths of the error that the row above has left to each pixel, with one place more at either end.
    private var carried: [SIMD4<Int32>]

    /// `pixels` in at most `colorLimit` colours.
    init(_ pixels: PixelBuffer, colorLimit: Int) {
        colors = pixels.opaqueRows
        var histogram = ColorHistogram()
        for case let color? in colors.joined() { histogram.add(color) }
        palette = Palette(of: histogram, limit: colorLimit)
        carried = Array(repeating: .zero, count: pixels.width + 2)
    }

    /// Palette indices of these rows, `nil` for transparent pixels.
    ///
    /// Rows are asked for once, in order: each passes its error on to the next.
    mutating func rows(_ range: Range<Int>) -> [[Int?]] {
        range.map { dither(colors[$0]) }
    }

    private mutating func dither(_ row: [OpaqueColor?]) -> [Int?] {
        var below = Array(repeating: SIMD4<Int32>.zero, count: carried.count)
        var ahead = SIMD4<Int32>.zero
        var indices: [Int?] = []
        indices.reserveCapacity(row.count)
        for (x, color) in row.enumerated() {
            guard let color else {
                indices.append(nil)
                ahead = .zero
                continue
            }
            let error = (ahead &+ carried[x + 1]) / 16
            let wanted = (SIMD4(color) &+ error).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
            let index = palette.index(of: OpaqueColor(wanted))
            let missed = wanted &- SIMD4(palette.colors[index])
            ahead = missed &* 7
            below[x] &+= missed &* 3
            below[x + 1] &+= missed &* 5
            below[x + 2] &+= missed
            indices.append(index)
        }
        carried = below
        return indices
    }
}

extension SIMD4<Int32> {
    fileprivate init(_ color: OpaqueColor) {
        self.init(Int32(color.red), Int32(color.green), Int32(color.blue), 0)
    }
}

extension OpaqueColor {
    /// The first three components, each from 0 to 255.
    fileprivate init(_ vector: SIMD4<Int32>) {
        self.init(red: UInt8(vector.x), green: UInt8(vector.y), blue: UInt8(vector.z))
    }
}
