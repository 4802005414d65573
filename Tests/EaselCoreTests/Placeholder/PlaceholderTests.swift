import EaselTesting
import Testing

@testable import EaselCore

@Suite("Placeholders: resolution")
struct PlaceholderTests {
    private let blurHash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    private func ready(
        _ placeholder: Placeholder, for target: TargetSize = .original, variants: [DecodedImage] = []
    ) -> DecodedImage? {
        guard case .ready(let image) = PlaceholderImage(placeholder, for: target, variants: { variants }) else {
            return nil
        }
        return image
    }

    private func isWork(_ placeholder: Placeholder) -> Bool {
        if case .work = PlaceholderImage(placeholder, for: .original, variants: { [] }) { true } else { false }
    }

    private func variant(_ side: Int, of original: Int) throws -> DecodedImage {
        var image = try TestImage.gradient(side, side).image()
        image.metadata.sampling = Sampling(original: PixelSize(original, original), decoded: image.size)
        return image
    }

    @Test("a colour has the proportions of the view within 32 pixels")
    func color() throws {
        let image = try #require(ready(.color(.white), for: .pixels(width: 400, height: 100)))
        #expect(image.size == PixelSize(32, 8) && image.metadata.isPlaceholder)
        #expect(image.allPixels.allSatisfy { $0 == ImageColor.white.pixel })
        #expect(ready(.color(.clear))?.size == PixelSize(32, 32))
        #expect(ready(.color(.clear), for: .pixels(width: 9, height: 3))?.size == PixelSize(9, 3))
    }

    @Test("a hash needs work, and an invalid hash has no image")
    func hashes() {
        #expect(isWork(.blurHash(blurHash)) && isWork(.thumbHash("1QcSHQRnh493V4dIh4eXh1h4kJUI")))
        for placeholder in [Placeholder.blurHash("nonsense"), .thumbHash("nonsense"), .first([]), .cachedVariant] {
            #expect(PlaceholderImage(placeholder, for: .original) { [] } == nil)
        }
    }

    @Test("the best variant is the smallest that is large enough, otherwise the largest")
    func variants() throws {
        let all = try [80, 40, 20].map { try variant($0, of: 100) }
        for (side, expected) in [(30, 40), (40, 40), (41, 80), (10, 20), (100, 80)] {
            let target = TargetSize.pixels(width: side, height: side)
            #expect(ready(.cachedVariant, for: target, variants: all)?.size.width == expected)
        }
        #expect(ready(.cachedVariant, variants: all)?.metadata.isPlaceholder == true)
    }

    @Test("bestAvailable is a variant, otherwise the first valid placeholder")
    func bestAvailable() throws {
        let placeholder = Placeholder.first([
            .cachedVariant, .blurHash("nonsense"), .blurHash(blurHash), .color(.white),
        ])
        #expect(ready(placeholder, variants: [try variant(4, of: 8)])?.size == PixelSize(4, 4))
        #expect(isWork(placeholder))
        #expect(ready(.first([.cachedVariant, .thumbHash("nonsense"), .color(.white)])) != nil)
    }

    @Test("placeholders are values, and image placeholders are equal by the identity of the pixels")
    func equality() throws {
        let image = try TestImage.gradient(3, 3).image()
        #expect(Placeholder.image(image) == .image(image))
        #expect(Placeholder.image(image) != .image(try TestImage.gradient(3, 3).image()))
        let all: Set<Placeholder> = [
            .color(.white), .color(.black), .blurHash("a"), .blurHash("a", punch: 2), .thumbHash("a"), .cachedVariant,
            .first([.cachedVariant]), .image(image),
        ]
        #expect(all.count == 8)
    }
}
