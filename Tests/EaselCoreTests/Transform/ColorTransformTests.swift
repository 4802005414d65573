import EaselTesting
import Testing

@testable import EaselCore

@Suite("Colour transforms")
struct ColorTransformTests {
    private static let colors = "wMuX/4TP5QBo13f/LBw0KGgUlr4tb4bJeL4jav2vvQ4="

    /// Values from ImageMagick 6.9.11 (Q16): `-color-matrix` with the factors of W3C, `-negate` and `-gamma`.
    @Test(
        "colour transforms match ImageMagick within one level",
        arguments: [
            (ImageTransform.sepia, "/+e0//7isADky57/MCshKFRLOr6AclnJx7KKav/wuw4="),
            (.grayscale, "xMTE/8DAwAC4uLj/ISEhKC8vL75iYmLJo6OjasDAwA4="),
            (.invert, "PzRo/3swGgCXKIj/0+PLKJfrab7SkHnJh0HcagJQQg4="),
            (.gamma(2.2), "4OXI/73n8gCp67T/cl17KKlQyL5zrr7Jtd9nav7W3g4="),
            (.gamma(0.5), "kKFZ/0SozQAqtTf/BwMKKCoBWL4HMEbJOI0Eavt4jA4="),
        ])
    func golden(transform: ImageTransform, expected: String) throws {
        let image = try TransformFixture.golden(Self.colors, 8, 1, channels: 4)
        let golden = try TransformFixture.golden(expected, 8, 1, channels: 4)
        #expect(try image.applying([transform]).difference(from: golden) <= .tolerance(1))
    }

    @Test(
        "neutral parameters have no effect",
        arguments: [
            ImageTransform.brightness(0), .contrast(1), .saturation(1), .gamma(1),
            .colorMatrix(red: [1, 0, 0, 0], green: [0, 1, 0, 0], blue: [0, 0, 1, 0]),
            .brightness(.nan),
        ])
    func neutral(transform: ImageTransform) throws {
        for image in [try TransformFixture.noise(8, 8), try TransformFixture.translucentNoise(8, 8)] {
            #expect(try image.applying([transform]).difference(from: image) <= .exact)
        }
    }

    @Test(
        "one colour matches values computed by hand",
        arguments: [
            (ImageTransform.brightness(0.2), ImageColor(red: 151, green: 101, blue: 255)),
            (.brightness(-1), ImageColor(red: 0, green: 0, blue: 0)),
            (.contrast(0), ImageColor(red: 128, green: 128, blue: 128)),
            (.contrast(2), ImageColor(red: 73, green: 0, blue: 255)),
            (.saturation(0), ImageColor(red: 74, green: 74, blue: 74)),
            (.invert, ImageColor(red: 155, green: 205, blue: 15)),
        ])
    func byHand(transform: ImageTransform, expected: ImageColor) throws {
        let image = try TransformFixture.image(1, 1, isOpaque: true) { _, _ in
            ImageColor(red: 100, green: 50, blue: 240)
        }
        #expect(try image.applying([transform]).pixels.color(x: 0, y: 0) == expected)
    }

    @Test("a matrix can change alpha, and the image is then not opaque")
    func alpha() throws {
        let matrix = ImageTransform.colorMatrix(
            red: [1, 0, 0, 0], green: [0, 1, 0, 0], blue: [0, 0, 1, 0], alpha: [1, 0, 0, 0])
        let image = try TransformFixture.image(2, 1, isOpaque: true) { x, _ in
            ImageColor(red: x == 0 ? 0 : 200, green: 80, blue: 0)
        }
        let result = try image.applying([matrix])
        #expect(result.pixels.color(x: 0, y: 0) == .clear)
        #expect(result.pixels[1, 0].alpha == 200)
        #expect(!result.pixels.isOpaque)
    }

    @Test("factors that are infinite or NaN are clamped")
    func hostile() throws {
        let matrix = ImageTransform.colorMatrix(
            red: [.infinity, 0, 0, 0], green: [.nan, .nan, .nan, 0], blue: [0, 0, -.infinity, 0],
            offset: [0, .nan, 0, 0])
        let image = try TransformFixture.image(1, 1, isOpaque: true) { _, _ in .white }
        #expect(
            try image.applying([matrix]).pixels.color(x: 0, y: 0)
                == ImageColor(red: 255, green: 0, blue: 0))
    }

    @Test("a background fills clear pixels and makes the image opaque")
    func background() throws {
        let image = try TransformFixture.image(2, 1, isOpaque: false) { x, _ in
            x == 0 ? .clear : ImageColor(red: 255, green: 0, blue: 0, alpha: 51)
        }
        let result = try image.applying([.background(.white)])
        #expect(result.pixels.isOpaque)
        #expect(result.pixels.color(x: 0, y: 0) == .white)
        #expect(result.pixels.color(x: 1, y: 0) == ImageColor(red: 255, green: 204, blue: 204))
    }
}
