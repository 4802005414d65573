import EaselCodecs
import EaselCore
import Testing

@Suite("PNG: round trip")
struct PNGRoundTripTests {
    private let coder = PNGCoder()

    @Test("an opaque image is unchanged", arguments: [(1, 1), (2, 3), (17, 5), (64, 64)])
    func opaque(width: Int, height: Int) throws {
        try expectRoundTrip(Images.gradient(width, height))
    }

    @Test("noise, which no filter predicts, is unchanged")
    func noise() throws {
        try expectRoundTrip(Images.noise(33, 21, seed: 1))
    }

    @Test("every premultiplied pixel is unchanged")
    func translucent() throws {
        try expectRoundTrip(Images.translucent(256, 9))
    }

    @Test("an opaque image is encoded without alpha")
    func opaqueHasNoAlpha() throws {
        let image = DecodedImage(pixels: try Images.gradient(4, 4), metadata: ImageMetadata())
        let header = try coder.header(of: try coder.encode(image, EncodeOptions()))
        #expect(!header.hasAlpha)
        #expect(header == ImageHeader(format: .png, storedSize: PixelSize(4, 4)))
    }

    private func expectRoundTrip(_ pixels: PixelBuffer) throws {
        let file = try coder.encode(DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions())
        let decoded = try coder.decode(file, DecodeOptions())
        #expect(decoded.size == pixels.size)
        #expect(decoded.pixels.pixels == pixels.pixels)
        #expect(decoded.pixels.isOpaque == pixels.isOpaque)
    }
}
