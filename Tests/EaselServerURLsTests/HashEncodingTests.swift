#if Server
import EaselFoundation
import EaselTesting
import Testing

@testable import EaselCore
@testable import EaselServerURLs

@Suite("Server URLs: hashes of images")
struct HashEncodingTests {
    /// Expected values from the package `blurhash` 1.1.5 of PyPI.
    @Test(
        "a BlurHash is that of another encoder",
        arguments: [
            (4, 3, "L$HoN_2?wxbuqSR-jte=g0fjfQfj"), (1, 1, "00HoN_"),
            (
                9, 9,
                "|$HoN_2?wxbuWpt6SMt6SMqSR-jte=a|jIa|jIa|g0fjfQfjfQfjfQfjfQt7Sgjtfka|j[a|j[a|eXf7fQf7fQf7fQf7fQtQSgjt"
                    + "fka|j[a|j[a|eXf7fQf7fQf7fQf7fQtQSgjtfka|j[a|j[a|eXf7fQf7fQf7fQf7fQ"
            ),
        ])
    func blurHash(across: Int, down: Int, expected: String) throws {
        let pixels = try TestImage.gradient(20, 12).pixels()
        #expect(try pixels.blurHash(across: across, down: down) == expected)
        #expect(BlurHash(expected) != nil)
    }

    @Test("components out of range are clamped")
    func bounds() throws {
        let pixels = try TestImage.gradient(20, 12).pixels()
        #expect(try pixels.blurHash(across: 0, down: -5) == pixels.blurHash(across: 1, down: 1))
        #expect(try pixels.blurHash(across: 100, down: 9).utf8.count == 4 + 2 * 81)
    }

    /// Expected values from the package `thumbhash-python` 1.0.1 of PyPI.
    @Test("a ThumbHash is that of another encoder")
    func thumbHash() throws {
        // Even gradients have cosines of 0, whose sign is that of a rounding error.
        func color(_ x: Int, _ y: Int) -> Pixel {
            Pixel(
                blue: UInt8(x * y % 256), green: UInt8((x * 5 + y * y) % 256), red: UInt8((x * x + y * 3) % 256),
                alpha: 255)
        }
        let wide = try PixelBuffer.drawn(20, 12, isOpaque: true, color: color)
        #expect(try wide.thumbHash().base64EncodedString() == "E/kNHIpQeZeCiIeId4cWDFrxRw==")
        let clear = Pixel(blue: 0, green: 0, red: 0, alpha: 0)
        let high = try PixelBuffer.drawn(12, 20, isOpaque: false) { x, y in
            (x * x + y * 3) % 7 < 3 || x * y < 9 ? clear : color(x, y)
        }
        #expect(try high.thumbHash().base64EncodedString() == "1diFCwQXwLB4yaicDQC86SBCYYhzSVg=")
    }

    @Test("the hashes of a large image show its colors")
    func large() throws {
        let pixels = try TestImage.gradient(900, 400).pixels()
        let hash = try #require(try BlurHash(pixels.blurHash(across: 3, down: 3)))
        let image = try hash.image(size: PixelSize(9, 4))
        #expect(image.pixels[8, 0].red > 180 && image.pixels[0, 0].red < 90)
        let thumb = try #require(ThumbHash(pixels.thumbHash())).image()
        #expect(thumb.size == PixelSize(32, 14))
        #expect(thumb.pixels[31, 0].red > 200 && thumb.pixels[0, 13].green > 200)
    }

    @Test("a transparent image and one pixel have hashes")
    func extremes() throws {
        let clear = try TestImage.solid(Pixel(blue: 0, green: 0, red: 0, alpha: 0), 5, 3).pixels()
        #expect(try ThumbHash(clear.thumbHash()) != nil)
        #expect(try BlurHash(clear.blurHash(across: 4, down: 3)) != nil)
        let single = try TestImage.solid(Pixel(blue: 1, green: 2, red: 3, alpha: 255), 1, 1).pixels()
        #expect(try ThumbHash(single.thumbHash()) != nil)
        #expect(try BlurHash(single.blurHash(across: 9, down: 9)) != nil)
    }
}
#endif
