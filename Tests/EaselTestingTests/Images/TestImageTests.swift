import EaselCodecs
import EaselCore
import EaselTesting
import Testing

@Suite("Test images")
struct TestImageTests {
    @Test("A gradient runs from 0 to 255 in red and in green")
    func gradient() throws {
        let pixels = try TestImage.gradient(64, 32).pixels()
        #expect(pixels.size == PixelSize(64, 32))
        #expect(pixels[0, 0] == Pixel(blue: 128, green: 0, red: 0, alpha: 255))
        #expect(pixels[63, 0] == Pixel(blue: 128, green: 0, red: 255, alpha: 255))
        #expect(pixels[0, 31] == Pixel(blue: 128, green: 255, red: 0, alpha: 255))
        #expect(pixels[21, 31].red == 85)
        #expect(pixels.isOpaque)
    }

    @Test("An image of a transparent colour is not opaque")
    func transparent() throws {
        let glass = Pixel(blue: 10, green: 20, red: 30, alpha: 40)
        let pixels = try TestImage.solid(glass, 3, 2).pixels()
        #expect(pixels[2, 1] == glass)
        #expect(!pixels.isOpaque)
    }

    @Test("A checkerboard changes at every square")
    func checkerboard() throws {
        let pixels = try TestImage.checkerboard(8, 8, square: 4).pixels()
        let blues = [pixels[3, 3], pixels[4, 3], pixels[3, 4], pixels[4, 4]].map(\.blue)
        #expect(blues == [0, 255, 255, 0])
    }

    @Test("A side of zero or less is one pixel")
    func smallest() throws {
        #expect(try TestImage.gradient(0, -1).pixels().size == PixelSize(1, 1))
    }

    @Test(
        "A PNG has exactly the pixels of the test image",
        arguments: [
            TestImage.gradient(33, 7), .checkerboard(9, 9, square: 2),
            .solid(Pixel(blue: 0, green: 0, red: 128, alpha: 128), 3, 3),
        ])
    func png(image: TestImage) throws {
        let file = try image.encoded(as: .png)
        let decoded = try CoderRegistry.standard().decoder(for: file).decode(file, DecodeOptions())
        #expect(try decoded.difference(from: image) <= .exact)
    }

    @Test("A JPEG is close to the test image")
    func jpeg() throws {
        let image = TestImage.gradient(64, 64)
        let file = try image.encoded(as: .jpeg, EncodeOptions(quality: 1))
        let decoded = try CoderRegistry.standard().decoder(for: file).decode(file, DecodeOptions())
        #expect(try decoded.difference(from: image) <= .tolerance(6, mean: 2))
    }

    @Test("A format without an encoder is refused")
    func unknownFormat() {
        #expect(throws: ImageError.unsupported("There is no encoder for none.")) {
            try TestImage.gradient(2, 2).encoded(as: ImageFormat("none", signatures: []))
        }
    }
}
