import EaselCore

/// The palette of an image, chosen by median cut over a histogram of 32 levels per component.
struct Palette: Sendable {
    /// The colours, at least one.
    let colors: [OpaqueColor]

    /// The palette index for each of the 32,768 bins, if it is known.
    private var nearest: [Int16]

    /// Chooses at most `limit` colours for a histogram.
    init(of histogram: ColorHistogram, limit: Int) {
        var boxes = [Box(histogram.bins)].filter { !$0.bins.isEmpty }
        while boxes.count < limit {
            // Splits the box with the largest spread, so that a large uniform sky does not use up the colours.
            let widest = boxes.indices.filter { boxes[$0].bins.count > 1 }.max { boxes[$0].spread < boxes[$1].spread }
            guard let widest else { break }
            let (low, high) = boxes[widest].halves
            boxes[widest] = low
            boxes.append(high)
        }
        colors = boxes.isEmpty ? [OpaqueColor(red: 0, green: 0, blue: 0)] : boxes.map(\.average)
        nearest = Array(repeating: -1, count: ColorHistogram.binCount)
    }

    /// Returns the index of the nearest colour by weighted distance.
    mutating func index(of color: OpaqueColor) -> Int {
        let bin = ColorHistogram.bin(of: color)
        if nearest[bin] >= 0 { return Int(nearest[bin]) }
        var best = (index: 0, distance: Int.max)
        for (index, candidate) in colors.enumerated() {
            let red = Int(candidate.red) - Int(color.red)
            let green = Int(candidate.green) - Int(color.green)
            let blue = Int(candidate.blue) - Int(color.blue)
            // The eye is most sensitive to green and least to blue.
            let distance = 3 * red * red + 6 * green * green + blue * blue
            if distance < best.distance { best = (index, distance) }
        }
        nearest[bin] = Int16(best.index)
        return best.index
    }
}

/// The frequency of each colour, in bins of 32 levels per component.
struct ColorHistogram: Sendable {
    static let binCount = 1 << 15

    private var counts = [Int](repeating: 0, count: binCount)
    private var sums = [(red: Int, green: Int, blue: Int)](repeating: (0, 0, 0), count: binCount)

    /// Returns the bin of `color`.
    static func bin(of color: OpaqueColor) -> Int {
        Int(color.red >> 3) << 10 | Int(color.green >> 3) << 5 | Int(color.blue >> 3)
    }

    /// Counts a pixel.
    mutating func add(_ color: OpaqueColor) {
        let bin = Self.bin(of: color)
        counts[bin] += 1
        sums[bin].red += Int(color.red)
        sums[bin].green += Int(color.green)
        sums[bin].blue += Int(color.blue)
    }

    fileprivate var bins: [Bin] {
        counts.indices.filter { counts[$0] > 0 }.map { index in
            let count = counts[index]
            let sum = sums[index]
            return Bin(mean: [sum.red / count, sum.green / count, sum.blue / count], count: count)
        }
    }
}

/// The pixels of a bin.
private struct Bin {
    /// Red, green and blue.
    var mean: [Int]
    var count: Int
}

/// The bins that one colour of the palette represents.
private struct Box {
    let bins: [Bin]
    /// The component with the largest spread, and that spread over all pixels.
    private let axis: Int
    let spread: Int

    init(_ bins: [Bin]) {
        self.bins = bins
        let spreads = (0..<3).map { axis in Self.spread(of: bins, along: axis) }
        let widest = spreads.indices.max { spreads[$0] < spreads[$1] } ?? 0
        axis = widest
        spread = spreads[widest]
    }

    var average: OpaqueColor {
        let count = bins.reduce(0) { $0 + $1.count }
        let mean = (0..<3).map { axis in UInt8(bins.reduce(0) { $0 + $1.mean[axis] * $1.count } / max(1, count)) }
        return OpaqueColor(red: mean[0], green: mean[1], blue: mean[2])
    }

    /// Two boxes with about half of the pixels each.
    var halves: (low: Box, high: Box) {
        let sorted = bins.sorted { $0.mean[axis] < $1.mean[axis] }
        let half = sorted.reduce(0) { $0 + $1.count } / 2
        var passed = 0
        var split = 0
        while split < sorted.count - 1, passed + sorted[split].count <= half || split == 0 {
            passed += sorted[split].count
            split += 1
        }
        return (Box(Array(sorted[..<split])), Box(Array(sorted[split...])))
    }

    /// Returns the sum of the squared distances from the mean.
    private static func spread(of bins: [Bin], along axis: Int) -> Int {
        let count = bins.reduce(0) { $0 + $1.count }
        guard count > 0 else { return 0 }
        let mean = bins.reduce(0) { $0 + $1.mean[axis] * $1.count } / count
        return bins.reduce(0) { $0 + ($1.mean[axis] - mean) * ($1.mean[axis] - mean) * $1.count }
    }
}

/// A colour without alpha, for half blocks and sixels.
struct OpaqueColor: Sendable, Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Returns the colour of a pixel with at least half coverage, otherwise `nil`, which shows the terminal's
    /// background. The background is unknown, so nothing is blended: soft edges become hard, but there are no seams on
    /// any background.
    init?(_ pixel: Pixel) {
        guard pixel.alpha >= 128 else { return nil }
        let straight = { (component: UInt8) in UInt8(min(255, Int(component) * 255 / Int(pixel.alpha))) }
        self.init(red: straight(pixel.red), green: straight(pixel.green), blue: straight(pixel.blue))
    }
}

extension PixelBuffer {
    /// Calls `body` for each row from the top, without padding.
    ///
    /// - Parameter body: Receives the row's number and pixels. The pointer must not escape.
    func forEachRow(_ body: (_ y: Int, _ row: UnsafeBufferPointer<Pixel>) -> Void) {
        withUnsafeBytes { bytes in
            for y in 0..<height {
                let row = UnsafeRawBufferPointer(rebasing: bytes[(y * bytesPerRow)..<(y * bytesPerRow + width * 4)])
                // `Pixel` has the same layout as the four bytes of a `PixelBuffer` pixel.
                row.withMemoryRebound(to: Pixel.self) { body(y, $0) }
            }
        }
    }

    /// The rows as a terminal without alpha shows them.
    var opaqueRows: [[OpaqueColor?]] {
        var rows: [[OpaqueColor?]] = []
        rows.reserveCapacity(height)
        forEachRow { _, row in rows.append(row.map(OpaqueColor.init)) }
        return rows
    }
}

/// An image in palette colours, with Floyd-Steinberg dithering.
struct DitheredImage {
    private(set) var palette: Palette

    private let colors: [[OpaqueColor?]]
    /// The error carried from the previous row in sixteenths, with one extra element at both ends.
    private var carried: [SIMD4<Int32>]

    /// Dithers `pixels` to at most `colorLimit` colours.
    init(_ pixels: PixelBuffer, colorLimit: Int) {
        colors = pixels.opaqueRows
        var histogram = ColorHistogram()
        for case let color? in colors.joined() { histogram.add(color) }
        palette = Palette(of: histogram, limit: colorLimit)
        carried = Array(repeating: .zero, count: pixels.width + 2)
    }

    /// Returns the palette indices of these rows, with `nil` for transparent pixels.
    ///
    /// Rows must be requested once and in order, because errors carry to the next row.
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
    /// Creates a colour from the first three components, each from 0 to 255.
    fileprivate init(_ vector: SIMD4<Int32>) {
        self.init(red: UInt8(vector.x), green: UInt8(vector.y), blue: UInt8(vector.z))
    }
}
