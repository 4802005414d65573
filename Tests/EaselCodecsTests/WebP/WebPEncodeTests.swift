import EaselCodecs
import EaselCore
import EaselTesting
import Testing

@Suite("WebP: encoding (S005)")
struct WebPEncodeTests {
    private let coder = WebPCoder()

    @Test("a quality of 1 is lossless")
    func lossless() throws {
        for pixels in [try Images.noise(23, 17, seed: 9), try Images.translucent(64, 8)] {
            let image = try coder.decode(try Files.webp(pixels, quality: 1), DecodeOptions())
            #expect(image.pixels.isOpaque == pixels.isOpaque)
            #expect(image.pixels.largestDifference(from: pixels) <= (pixels.isOpaque ? 0 : 1))
        }
    }

    @Test("a smooth image is almost unchanged")
    func lossy() throws {
        let pixels = try Images.gradient(50, 41)
        let image = try coder.decode(try Files.webp(pixels, quality: 0.95), DecodeOptions())
        #expect(image.pixels.largestDifference(from: pixels) <= 16)
    }

    @Test("transparency is kept")
    func alpha() throws {
        let image = try coder.decode(try Files.webp(Images.translucent(32, 32), quality: 0.8), DecodeOptions())
        #expect(image.metadata.header?.hasAlpha == true)
        #expect(!image.pixels.isOpaque)
        #expect(image.pixels[0, 0].alpha == 0)
        #expect(image.pixels[31, 0].alpha == 255)
    }

    @Test("a side over the WebP limit is refused")
    func tooWide() throws {
        let wide = try PixelBuffer.drawn(16_384, 1, isOpaque: true) { _, _ in
            Pixel(blue: 0, green: 0, red: 0, alpha: 255)
        }
        let error = #expect(throws: ImageError.self) { try Files.webp(wide) }
        #expect(error?.code == .unsupported)
    }
}
