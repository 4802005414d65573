import EaselCore

/// A picture as indices into a palette.
struct GIFIndexedPicture {
    /// Opaque, at most 256.
    var colors: [UInt32]
    /// The index that shows what is behind; it may be beyond the colours.
    var transparentIndex: UInt8?
    var indices: [UInt8]

    /// Bits of an index: 1 to 8.
    var bitCount: Int {
        let count = max(2, colors.count, transparentIndex.map { Int($0) + 1 } ?? 0)
        return Int.bitWidth - (count - 1).leadingZeroBitCount
    }
}

/// Finds the palette of a picture: its own colours where there are at most 256, else the best that median cut finds, with the
/// error of each pixel spread over its neighbours (Floyd and Steinberg, 1976).
enum GIFQuantizer {
    /// - Parameters:
    ///   - pixels: each opaque or 0.
    ///   - base: what is on the canvas behind it, of the same size. Where both are alike nothing need be drawn.
    static func quantize(_ pixels: PixelBuffer, over base: PixelBuffer?) -> GIFIndexedPicture {
        let drawn = drawnPixels(of: pixels, over: base)
        let hasTransparency = drawn.contains(0)
        let capacity = hasTransparency ? 255 : 256
        if let table = GIFColorTable(of: drawn, capacity: capacity) {
            let transparent = hasTransparency ? UInt8(table.colors.count) : nil
            let indices = drawn.map { $0 == 0 ? transparent ?? 0 : table.index(of: $0) }
            return GIFIndexedPicture(colors: table.colors, transparentIndex: transparent, indices: indices)
        }
        let colors = GIFMedianCut.colors(of: drawn, count: capacity)
        let transparent = hasTransparency ? UInt8(colors.count) : nil
        var dither = GIFDither(colors: colors, width: pixels.width)
        let indices = dither.indices(of: drawn, transparent: transparent ?? 0)
        return GIFIndexedPicture(colors: colors, transparentIndex: transparent, indices: indices)
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

/// The colours of a picture that has few, and which index each has.
struct GIFColorTable {
    private(set) var colors: [UInt32] = []
    /// Slots by hash, four times as many as there are colours; 0 is no opaque colour.
    private var keys = [UInt32](repeating: 0, count: 1024)
    private var values = [UInt8](repeating: 0, count: 1024)

    /// `nil` for more than `capacity` colours, which is at most 256. Pixels of 0 are none.
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

    /// The colour's slot, or the empty one where it would be.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while keys[slot] != 0, keys[slot] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}
