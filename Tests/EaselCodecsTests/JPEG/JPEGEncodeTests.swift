import EaselCodecs
import EaselCore
import EaselTesting
import Testing

@Suite("JPEG: encoding")
struct JPEGEncodeTests {
    private let coder = JPEGCoder()

    @Test("a smooth image is almost unchanged")
    func roundTrip() throws {
        let pixels = try Images.gradient(50, 41)
        let image = try coder.decode(try Files.jpeg(pixels, quality: 1), DecodeOptions())
        #expect(image.size == pixels.size)
        #expect(image.pixels.isOpaque)
        #expect(image.pixels.largestDifference(from: pixels) <= 6)
    }

    @Test("a lower quality results in a smaller file")
    func quality() throws {
        let pixels = try Images.noise(64, 64, seed: 3)
        let sizes = try [0.0, 0.3, 0.6, 0.9, 1].map { try Files.jpeg(pixels, quality: $0).count }
        #expect(sizes == sizes.sorted())
        #expect(Set(sizes).count == sizes.count)
    }

    @Test("transparent pixels show the background")
    func background() throws {
        let clear = try PixelBuffer.drawn(16, 16, isOpaque: false) { x, _ in
            x < 8 ? Pixel(blue: 0, green: 0, red: 0, alpha: 0) : Pixel(blue: 0, green: 0, red: 128, alpha: 128)
        }
        let options = EncodeOptions(quality: 1, background: ImageColor(red: 0, green: 100, blue: 200))
        let file = try coder.encode(DecodedImage(pixels: clear, metadata: ImageMetadata()), options)
        let decoded = try coder.decode(file, DecodeOptions()).pixels
        let expected = try PixelBuffer.drawn(16, 16, isOpaque: true) { x, _ in
            x < 8
                ? Pixel(blue: 200, green: 100, red: 0, alpha: 255) : Pixel(blue: 100, green: 50, red: 128, alpha: 255)
        }
        #expect(decoded.largestDifference(from: expected) <= 4)
    }

    @Test("a side over the limit of JPEG is refused")
    func tooWide() throws {
        let wide = try PixelBuffer.drawn(65_501, 1, isOpaque: true) { _, _ in
            Pixel(blue: 0, green: 0, red: 0, alpha: 255)
        }
        let error = #expect(throws: ImageError.self) { try Files.jpeg(wide) }
        #expect(error?.code == .unsupported)
    }
}
