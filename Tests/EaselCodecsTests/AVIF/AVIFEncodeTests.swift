#if AVIF
import EaselCodecs
import EaselCore
import Testing

@Suite("AVIF: encoding")
struct AVIFEncodeTests {
    private let coder = AVIFCoder()

    @Test("a quality of 1 is lossless except for the rounding of premultiplied colors")
    func lossless() throws {
        for pixels in [try Images.noise(23, 17, seed: 9), try Images.translucent(64, 8)] {
            let image = try coder.decode(try Files.avif(pixels, quality: 1), DecodeOptions())
            #expect(image.pixels.isOpaque == pixels.isOpaque)
            #expect(image.pixels.largestDifference(from: pixels) <= (pixels.isOpaque ? 0 : 1))
        }
    }

    @Test("a smooth image is almost unchanged", arguments: [(0.95, 6), (0.7, 16)])
    func lossy(quality: Double, bound: Int) throws {
        let pixels = try Images.gradient(50, 41)
        let image = try coder.decode(try Files.avif(pixels, quality: quality), DecodeOptions())
        #expect(image.pixels.largestDifference(from: pixels) <= bound)
    }

    @Test("a lower quality needs fewer bytes")
    func quality() throws {
        let pixels = try Images.noise(64, 64, seed: 3)
        let sizes = try [0.1, 0.5, 0.8, 0.95, 1].map { try Files.avif(pixels, quality: $0).count }
        #expect(sizes == sizes.sorted())
        #expect(Set(sizes).count == sizes.count)
    }

    @Test("transparency is kept")
    func alpha() throws {
        let image = try coder.decode(try Files.avif(Images.translucent(32, 32), quality: 0.8), DecodeOptions())
        #expect(image.metadata.header?.hasAlpha == true)
        #expect(image.pixels[0, 0].alpha <= 4)
        #expect(image.pixels[31, 0].alpha >= 251)
    }
}
#endif
