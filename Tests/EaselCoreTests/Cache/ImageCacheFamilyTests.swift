import EaselTesting
import Testing

@testable import EaselCore

@Suite("Image cache: sizes of one image (B15, B16, B17)")
struct ImageCacheFamilyTests {
    private let cache = ImageCache(folder: nil as String?)

    /// An image decoded from a 40 x 30 original.
    private func image(_ width: Int, _ height: Int) throws -> DecodedImage {
        var image = try TestImage.gradient(width, height).image()
        image.metadata.sampling = Sampling(original: PixelSize(40, 30), decoded: image.size)
        return image
    }

    private func width(for size: TargetSize, _ precision: SizePrecision) -> Int? {
        cache.image(inFamily: "family", for: size, precision)?.size.width
    }

    @Test("the smallest image that is large enough is returned")
    func smallest() throws {
        for (width, height) in [(8, 6), (40, 30), (20, 15)] {
            cache.store(try image(width, height), for: CacheKey("\(width)"), family: "family")
        }
        #expect(width(for: .pixels(width: 10, height: 10), .atLeast) == 20)
        #expect(width(for: .pixels(width: 30, height: 30), .atLeast) == 40)
        #expect(width(for: .pixels(width: 4, height: 4), .atLeast) == 8)
        #expect(width(for: .pixels(width: 10, height: 10), .exact) == nil)
        #expect(width(for: .pixels(width: 50, height: 50), .exact) == 40)
    }

    @Test("all sizes are returned, largest first, including an evicted one that is still shown (B15)")
    func all() throws {
        let drawn = try image(20, 15)
        cache.store(drawn, for: "20", family: "family")
        cache.trimMemory(for: .critical)
        cache.store(try image(40, 30), for: "40", family: "family")
        cache.store(try image(8, 6), for: "8", family: "family")
        #expect(cache.images(inFamily: "family").map(\.size.width) == [40, 20, 8])
        #expect(width(for: .pixels(width: 18, height: 18), .atLeast) == 20)
        withExtendedLifetime(drawn) {}
    }

    @Test("an image with an unknown original size is not returned for other sizes")
    func unknown() throws {
        cache.store(try TestImage.gradient(40, 30).image(), for: "40", family: "family")
        #expect(cache.image(for: "40") != nil)
        #expect(width(for: .original, .atLeast) == nil)
        #expect(cache.images(inFamily: "family").isEmpty)
    }

    @Test("images of another family are not returned")
    func other() throws {
        cache.store(try image(40, 30), for: "40", family: "other")
        #expect(width(for: .original, .atLeast) == nil)
    }
}
