import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("Round corners and circles (X183, B97)")
struct RoundCornersTests {
    private let white = ImageColor.white

    /// Values from `rounded_rectangle` of Pillow 13, drawn 32 times as large and averaged.
    @Test(
        "coverage matches a shape drawn 32 times as large",
        arguments: [
            (
                PixelSize(14, 11), ImageTransform.roundedCorners(radius: 4),
                "ACew9P////////SwJwAn7//////////////vJ7D///////////////+w9P////////////////T////////////////////////////////////////////////////////0////////////////9LD///////////////+wJ+//////////////7ycAJ7D0////////9LAnAA=="
            ),
            (
                PixelSize(10, 10), .circle,
                "AABQwvf3wlAAAACK////////igBR//////////9Rwf//////////wff///////////f3///////////3wf//////////wVH//////////1EAiv///////4oAAABQwvf3wlAAAA=="
            ),
        ])
    func coverage(size: PixelSize, transform: ImageTransform, expected: String) throws {
        let image = try TransformFixture.image(size.width, size.height, isOpaque: true) { _, _ in white }
        let rounded = try image.applying([transform])
        let golden = Array(try #require(Data(base64Encoded: expected)))
        #expect(rounded.size == size && golden.count == rounded.allPixels.count)
        for (pixel, level) in zip(rounded.allPixels, golden) {
            #expect(abs(Int(pixel.alpha) - Int(level)) <= 10, "\(pixel.alpha) instead of \(level)")
            #expect(pixel.red == pixel.alpha)
        }
    }

    @Test("the area matches the shape within one thousandth", arguments: [3.0, 10, 49.5])
    func area(radius: Double) throws {
        let image = try TransformFixture.image(120, 100, isOpaque: true) { _, _ in white }
        let rounded = try image.applying([.roundedCorners(radius: radius)])
        let area = rounded.allPixels.reduce(0.0) { $0 + Double($1.alpha) } / 255
        #expect(abs(area - (12_000 - (4 - Double.pi) * radius * radius)) < 3)
    }

    @Test("each corner is rounded separately and in the same way")
    func corners() throws {
        let image = try TransformFixture.image(20, 16, isOpaque: true) { _, _ in white }
        let one = try image.applying([.roundedCorners(topLeft: 6)])
        #expect(one.pixels[0, 0].alpha == 0 && one.pixels[19, 0].alpha == 255 && one.pixels[0, 15].alpha == 255)
        let right = try image.applying([.roundedCorners(topRight: 6), .flip(.horizontal)])
        let low = try image.applying([.roundedCorners(bottomLeft: 6), .flip(.vertical)])
        let both = try image.applying([.roundedCorners(bottomRight: 6), .rotate(degrees: 180)])
        for other in [right, low, both] { #expect(other.difference(from: one) <= .exact) }
    }

    @Test("a radius beyond half of the shorter side is clamped (X183)")
    func limit() throws {
        let image = try TransformFixture.noise(20, 12)
        let most = try image.applying([.roundedCorners(radius: 6)])
        #expect(try image.applying([.roundedCorners(radius: 1e9)]).difference(from: most) <= .exact)
    }

    @Test("no radius and no border have no effect", arguments: [0, -1, Double.nan, -Double.infinity])
    func nothing(radius: Double) throws {
        let image = try TransformFixture.noise(6, 6)
        #expect(try image.applying([.roundedCorners(radius: radius)]).difference(from: image) <= .exact)
    }

    @Test("an image of one pixel keeps its size", arguments: [ImageTransform.circle, .roundedCorners(radius: 3)])
    func onePixel(transform: ImageTransform) throws {
        let image = try TransformFixture.image(1, 1, isOpaque: true) { _, _ in white }
        let result = try image.applying([transform])
        #expect(result.size == PixelSize(1, 1))
        // A circle covers pi / 4 of its square.
        #expect(abs(Int(result.pixels[0, 0].alpha) - 200) <= 2)
    }

    @Test("a straight border covers its pixels, and half of one for a fractional width")
    func border() throws {
        let image = try TransformFixture.image(9, 7, isOpaque: true) { _, _ in white }
        let line = ImageBorder(width: 1.5, color: .black)
        let bordered = try image.applying([.roundedCorners(radius: 0, border: line)])
        #expect(bordered.pixels.isOpaque)
        #expect(bordered.pixels.color(x: 0, y: 3) == .black)
        #expect(bordered.pixels.color(x: 1, y: 3) == ImageColor(red: 128, green: 128, blue: 128))
        #expect(bordered.pixels.color(x: 2, y: 3) == white)
        #expect(bordered.pixels.color(x: 4, y: 1) == ImageColor(red: 128, green: 128, blue: 128))
        #expect(bordered.pixels.color(x: 8, y: 6) == .black)
    }

    @Test("a border has no seam of the image outside")
    func seam() throws {
        let image = try TransformFixture.image(30, 30, isOpaque: true) { _, _ in white }
        let red = ImageColor(red: 255, green: 0, blue: 0)
        let bordered = try image.applying([.circle(border: ImageBorder(width: 4, color: red))])
        for pixel in bordered.allPixels where pixel.alpha > 0 && pixel.alpha < 255 {
            #expect(pixel.green == 0 && pixel.red == pixel.alpha)
        }
        #expect(bordered.pixels.color(x: 15, y: 15) == white)
        #expect(bordered.pixels.color(x: 1, y: 15) == red)
    }

    @Test("a border wider than the image covers it")
    func wideBorder() throws {
        let image = try TransformFixture.image(6, 6, isOpaque: true) { _, _ in white }
        let line = ImageBorder(width: .infinity, color: .black)
        let covered = try image.applying([.roundedCorners(radius: 0, border: line)])
        #expect(covered.allPixels.allSatisfy { $0 == ImageColor.black.pixel })
    }
}
