import EaselCore

/// An image as indices into a palette.
struct GIFIndexedImage {
    /// Opaque, at most 256.
    var colors: [UInt32]
    /// The index that shows what is behind; it may be beyond the colors.
    var transparentIndex: UInt8?
    var indices: [UInt8]

    /// Bits of an index: 1 to 8.
    var bitCount: Int {
        let count = max(2, colors.count, transparentIndex.map { Int($0) + 1 } ?? 0)
        return Int.bitWidth - (count - 1).leadingZeroBitCount
    }
}

/// Finds the palette of an image: its own colors where there are at most 256, else the best that median cut finds, with the
/// error of each pixel spread over its neighbours (Floyd and Steinberg, 1976).
enum GIFQuantizer {
    /// - Parameters:
    ///   - pixels: each opaque or 0.
    ///   - base: what is on the canvas behind it, of the same size. Where both are alike nothing need be drawn.
    static func quantize(_ pixels: PixelBuffer, over base: PixelBuffer?) -> GIFIndexedImage {
        let drawn = drawnPixels(of: pixels, over: base)
        let hasTransparency = drawn.contains(0)
        let capacity = hasTransparency ? 255 : 256
        if let table = GIFColorTable(of: drawn, capacity: capacity) {
            let transparent = hasTransparency ? UInt8(table.colors.count) : nil
            let indices = drawn.map { $0 == 0 ? transparent ?? 0 : table.index(of: $0) }
            return GIFIndexedImage(colors: table.colors, transparentIndex: transparent, indices: indices)
        }
        let colors = GIFMedianCut.colors(of: drawn, count: capacity)
        let transparent = hasTransparency ? UInt8(colors.count) : nil
        var dither = GIFDither(colors: colors, width: pixels.width)
        let indices = dither.indices(of: drawn, transparent: transparent ?? 0)
        return GIFIndexedImage(colors: colors, transparentIndex: transparent, indices: indices)
    }

    /// Row by row; 0 where nothing is drawn.
    private static func drawnPixels(of pixels: PixelBuffer, over base: PixelBuffer?) -> [UInt32] {
        var drawn: [UInt32] = []
        drawn.reserveCapacity(pixels.width * pixels.height)
        for y in 0..<pixels.height {
            pixels.withRow(y) { row in
                guard let base else { return drawn.append(contentsOf: row) }
                base.withRow(y) { behind in
                    for x in row.indices { drawn.append(row[x] == behind[x] ? 0 : row[x]) }
                }
            }
        }
        return drawn
    }
}

/// The colors of an image that has few, and which index each has.
struct GIFColorTable {
    private(set) var colors: [UInt32] = []
    /// Slots by hash, four times as many as there are colors; 0 is no opaque color.
    private var keys = [UInt32](repeating: 0, count: 1024)
    private var values = [UInt8](repeating: 0, count: 1024)

    /// `nil` for more than `capacity` colors, which is at most 256. Pixels of 0 are none.
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

    /// The color's slot, or the empty one where it would be.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while keys[slot] != 0, keys[slot] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}

/// Median cut (Heckbert, 1982): the box of all colors is cut in two until there are as many boxes as there may be colors.
///
/// Colors that agree in the upper five bits of each component count as one, which has their mean.
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
        /// The component in which the box is longest, and how long it is.
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

        /// How much is gained by cutting it: the error that it makes grows with its population and the square of its length.
        var weight: Int { bins.count > 1 ? count * length * length : -1 }

        /// Cut so that both halves have about as many pixels, and at least one color.
        func halves() -> (Box, Box) {
            let sorted = bins.sorted { $0.mean[axis] < $1.mean[axis] }
            var seen = 0
            let middle = sorted.firstIndex { bin in
                seen += bin.count
                return seen * 2 >= count
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

    /// At most `count` opaque colors for these opaque pixels. Pixels of 0 are none.
    static func colors(of pixels: [UInt32], count: Int) -> [UInt32] {
        var bins = [Bin](repeating: Bin(), count: 1 << 15)
        for pixel in pixels where pixel != 0 {
            let bin = index(of: pixel)
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
        return boxes.map(\.color)
    }

    /// The upper five bits of each component: below 32,768.
    static func index(of pixel: UInt32) -> Int {
        let red = (pixel >> 9) & 0x7C00
        let green = (pixel >> 6) & 0x03E0
        let blue = (pixel >> 3) & 0x001F
        return Int(red | green | blue)
    }
}

/// Gives each pixel the nearest color of a palette, and what that leaves to its neighbours that come after it.
struct GIFDither {
    private let colors: [UInt32]
    private let width: Int
    /// The nearest color by the upper five bits of each component, as far as it was looked for; else -1.
    private var nearest = [Int16](repeating: -1, count: 1 << 15)
    /// What the row before and this one have left for each pixel, in sixteenths, with one more at either end.
    private var errors: [SIMD3<Int32>]
    private var nextErrors: [SIMD3<Int32>]

    init(colors: [UInt32], width: Int) {
        self.colors = colors
        self.width = width
        errors = Array(repeating: .zero, count: width + 2)
        nextErrors = errors
    }

    /// - Parameter pixels: row by row; 0 takes the index `transparent`.
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

    private mutating func index(of pixel: UInt32, at place: Int) -> UInt8 {
        let wanted = Self.components(pixel) &+ (errors[place] &+ SIMD3(repeating: 8)) &>> SIMD3(repeating: 4)
        let clamped = wanted.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
        let index = nearestColor(to: clamped)
        let error = clamped &- Self.components(colors[index])
        errors[place + 1] &+= error &* SIMD3(repeating: 7)
        nextErrors[place - 1] &+= error &* SIMD3(repeating: 3)
        nextErrors[place] &+= error &* SIMD3(repeating: 5)
        nextErrors[place + 1] &+= error
        return UInt8(truncatingIfNeeded: index)
    }

    private mutating func nearestColor(to components: SIMD3<Int32>) -> Int {
        let slot = Int((components[0] >> 3) << 10 | (components[1] >> 3) << 5 | components[2] >> 3)
        if nearest[slot] >= 0 { return Int(nearest[slot]) }
        var best = 0
        var least = Int32.max
        for (index, color) in colors.enumerated() {
            let difference = components &- Self.components(color)
            // Green counts most, as the eye sees it.
            let distance = (difference &* difference &* SIMD3(2, 4, 1)).wrappedSum()
            if distance < least { (least, best) = (distance, index) }
        }
        nearest[slot] = Int16(truncatingIfNeeded: best)
        return best
    }

    /// Red, green, blue.
    @inline(__always)
    private static func components(_ pixel: UInt32) -> SIMD3<Int32> {
        SIMD3(Int32(pixel >> 16 & 0xFF), Int32(pixel >> 8 & 0xFF), Int32(pixel & 0xFF))
    }
}
