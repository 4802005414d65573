import EaselCore

/// The summary of an image's pixels that the corpora's expectations contain.
struct PixelSummary {
    /// The means of 8 x 8 cells, row by row, as premultiplied R, G, B and A.
    var grid: [Double]
    private let pixels: PixelBuffer

    init(_ pixels: PixelBuffer) {
        grid = Self.grid(pixels)
        self.pixels = pixels
    }

    /// Returns the SHA-256 of the pixels as straight RGBA, or `nil` if some are translucent.
    func hash() -> String? {
        Self.straight(pixels).map(SHA256.hexDigest)
    }

    /// Returns the largest difference of any value, or `nil` if the grids do not match.
    func difference(from other: [Double]) -> Double? {
        guard other.count == grid.count else { return nil }
        return zip(grid, other).map { abs($0 - $1) }.max()
    }

    private static func grid(_ pixels: PixelBuffer) -> [Double] {
        pixels.withUnsafeBytes { bytes in
            (0..<64).flatMap { index in
                let ys = cell(index / 8, of: pixels.height)
                let xs = cell(index % 8, of: pixels.width)
                var sums = ComponentSums()
                for y in ys { sums.add(bytes, at: y * pixels.bytesPerRow + xs.lowerBound * 4, count: xs.count) }
                return [sums.red, sums.green, sums.blue, sums.alpha].map { Double($0) / Double(xs.count * ys.count) }
            }
        }
    }

    private static func cell(_ index: Int, of side: Int) -> Range<Int> {
        let start = index * side / 8
        return start..<max(start + 1, (index + 1) * side / 8)
    }

    private static func straight(_ pixels: PixelBuffer) -> [UInt8]? {
        var isStraight = true
        let straight = [UInt32](unsafeUninitializedCapacity: pixels.width * pixels.height) { target, count in
            pixels.withUnsafeBytes { bytes in
                for y in 0..<pixels.height {
                    let row = bytes[(y * pixels.bytesPerRow)...].prefix(pixels.width * 4)
                    for word in UnsafeRawBufferPointer(rebasing: row).bindMemory(to: UInt32.self) {
                        let alpha = word >> 24
                        if alpha != 0, alpha != 255 { isStraight = false }
                        // Swaps red and blue, which is in the lowest byte.
                        target[count] = (word & 0xFF00_FF00) | (word >> 16 & 0xFF) | (word & 0xFF) << 16
                        count &+= 1
                    }
                }
            }
        }
        return isStraight ? straight.withUnsafeBytes { Array($0) } : nil
    }
}

/// Sums of the components of many pixels. Adds two at a time, because this runs in debug builds over millions of them.
struct ComponentSums {
    private(set) var blue = 0
    private(set) var green = 0
    private(set) var red = 0
    private(set) var alpha = 0

    /// Adds `count` adjacent pixels.
    mutating func add(_ bytes: UnsafeRawBufferPointer, at start: Int, count: Int) {
        let row = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count * 4)]).bindMemory(to: UInt32.self)
        var even: UInt64 = 0
        var odd: UInt64 = 0
        for word in row {
            even &+= UInt64(word & 0xFF) | UInt64(word & 0xFF_0000) << 16
            odd &+= UInt64(word &>> 8 & 0xFF) | UInt64(word &>> 8 & 0xFF_0000) << 16
        }
        blue += Int(even & 0xFFFF_FFFF)
        red += Int(even >> 32)
        green += Int(odd & 0xFFFF_FFFF)
        alpha += Int(odd >> 32)
    }
}
