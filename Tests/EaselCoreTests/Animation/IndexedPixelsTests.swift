import EaselTesting
import Testing

@testable import EaselCore

@Suite("Pixels of few colours take a quarter of their memory")
struct IndexedPixelsTests {
    /// Pixels of `count` colours, in turns. 67 across, so that rows have padding.
    private func pixels(of count: Int, width: Int = 67, height: Int = 64) throws -> PixelBuffer {
        try PixelBuffer(size: PixelSize(width, height), isOpaque: false) { bytes, bytesPerRow in
            for place in 0..<(width * height) {
                let color = UInt32(truncatingIfNeeded: place * 31 % count) &* 0x0001_0305
                bytes.storeBytes(
                    of: color, toByteOffset: place / width * bytesPerRow + place % width * 4, as: UInt32.self)
            }
        }
    }

    @Test("no colour is changed, however many of the 256 there are", arguments: [1, 2, 255, 256])
    func expands(_ count: Int) throws {
        let pixels = try pixels(of: count)
        let expanded = try #require(IndexedPixels(pixels)?.expanded())
        #expect(expanded.size == pixels.size && !expanded.isOpaque)
        for y in 0..<pixels.height {
            for x in 0..<pixels.width where expanded[x, y] != pixels[x, y] {
                Issue.record("\(expanded[x, y]) for \(pixels[x, y]) at \(x), \(y)")
                return
            }
        }
    }

    @Test("it takes a byte a pixel, and its colours")
    func byteCount() throws {
        #expect(try IndexedPixels(pixels(of: 256))?.byteCount == 67 * 64 + 256 * 4)
    }

    @Test("more colours, and a frame of a few pages, stay as they are")
    func refuses() throws {
        #expect(try IndexedPixels(pixels(of: 257)) == nil)
        #expect(try IndexedPixels(pixels(of: 2, width: 63)) == nil)
    }
}
