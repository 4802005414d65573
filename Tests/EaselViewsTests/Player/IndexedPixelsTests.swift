import EaselCore
import EaselTesting
import Testing

@testable import EaselViews

@Suite("Indexed pixels")
struct IndexedPixelsTests {
    /// Returns pixels that cycle through `count` colours. The width of 67 gives rows padding.
    private func pixels(of count: Int, width: Int = 67, height: Int = 64) throws -> PixelBuffer {
        try PixelBuffer(size: PixelSize(width, height), isOpaque: false) { bytes, bytesPerRow in
            for place in 0..<(width * height) {
                let color = UInt32(truncatingIfNeeded: place * 31 % count) &* 0x0001_0305
                bytes.storeBytes(
                    of: color, toByteOffset: place / width * bytesPerRow + place % width * 4, as: UInt32.self)
            }
        }
    }

    @Test("up to 256 colours are restored exactly", arguments: [1, 2, 255, 256])
    func expands(_ count: Int) throws {
        let pixels = try pixels(of: count)
        let expanded = try #require(IndexedPixels(pixels)?.expand())
        #expect(expanded.size == pixels.size && !expanded.isOpaque)
        for y in 0..<pixels.height {
            for x in 0..<pixels.width where expanded[x, y] != pixels[x, y] {
                Issue.record("\(expanded[x, y]) for \(pixels[x, y]) at \(x), \(y)")
                return
            }
        }
    }

    @Test("an indexed frame takes one byte for each pixel, and its colours")
    func byteCount() throws {
        #expect(try IndexedPixels(pixels(of: 256))?.byteCount == 67 * 64 + 256 * 4)
    }

    @Test("frames with more colours or few pixels are not indexed")
    func refuses() throws {
        #expect(try IndexedPixels(pixels(of: 257)) == nil)
        #expect(try IndexedPixels(pixels(of: 2, width: 63)) == nil)
    }
}
