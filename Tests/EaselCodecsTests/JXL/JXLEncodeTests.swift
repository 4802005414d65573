#if JXL
import EaselCore
import Testing

@testable import EaselCodecs

@Suite("JPEG XL: encoding")
struct JXLEncodeTests {
    private let coder = JXLCoder()

    @Test("a quality of 1 is lossless except for the rounding of premultiplied colors")
    func lossless() throws {
        for pixels in [try Images.noise(23, 17, seed: 9), try Images.translucent(64, 8)] {
            let image = try coder.decode(try Files.jxl(pixels, quality: 1), DecodeOptions())
            #expect(image.pixels.isOpaque == pixels.isOpaque)
            #expect(image.pixels.largestDifference(from: pixels) <= (pixels.isOpaque ? 0 : 1))
        }
    }

    // JPEG XL loses most in blue, which is the least visible.
    @Test("a smooth image is almost unchanged", arguments: [(0.95, 24), (0.7, 40)])
    func lossy(quality: Double, bound: Int) throws {
        let pixels = try Images.gradient(50, 41)
        let image = try coder.decode(try Files.jxl(pixels, quality: quality), DecodeOptions())
        #expect(image.pixels.largestDifference(from: pixels) <= bound)
    }

    @Test("a lower quality needs fewer bytes")
    func quality() throws {
        let pixels = try Images.noise(64, 64, seed: 3)
        let sizes = try [0.1, 0.5, 0.8, 0.95].map { try Files.jxl(pixels, quality: $0).count }
        #expect(sizes == sizes.sorted())
        #expect(Set(sizes).count == sizes.count)
    }

    @Test("qualities map to distances as in libjxl's tools")
    func distance() {
        #expect(JXLDistance.of(quality: 1) == 0)
        #expect(abs(JXLDistance.of(quality: 0.9) - 1) < 0.001)
        #expect(abs(JXLDistance.of(quality: 0.3) - 6.4) < 0.001)
        #expect(abs(JXLDistance.of(quality: 0.2999) - 6.4) < 0.01)
        #expect(JXLDistance.of(quality: 0) == 25)
        #expect(JXLDistance.of(quality: -1) == 25)
    }

    @Test("transparency is kept")
    func alpha() throws {
        let image = try coder.decode(try Files.jxl(Images.translucent(32, 32), quality: 0.8), DecodeOptions())
        #expect(image.metadata.header?.hasAlpha == true)
        #expect(image.pixels[0, 0].alpha <= 2)
        #expect(image.pixels[31, 0].alpha >= 253)
    }
}
#endif
