import EaselTesting
import Testing

@testable import EaselCore

@Suite("BlurHash")
struct BlurHashTests {
    /// Expected values from the package `blurhash` 1.1.5 of PyPI, for the example of blurha.sh.
    @Test("a hash is decoded as by another decoder, within one level")
    func decode() throws {
        let hash = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj"))
        #expect(hash.across == 4 && hash.down == 3)
        let image = try hash.image(size: PixelSize(16, 12))
        let expected: [(Int, Int, [Int])] = [
            (0, 0, [135, 164, 177]), (15, 0, [138, 166, 181]), (8, 6, [158, 125, 108]), (0, 11, [135, 144, 147]),
            (15, 11, [134, 142, 147]), (5, 7, [149, 128, 123]),
        ]
        for (x, y, color) in expected { expect(image, x, y, color) }
        #expect(image.pixels.isOpaque && image.metadata.isPlaceholder)
        let punched = try hash.image(size: PixelSize(16, 12), punch: 1.5)
        expect(punched, 0, 0, [126, 170, 189])
        expect(punched, 8, 6, [161, 110, 76])
    }

    /// Expected values from the function `encode` of the same package.
    @Test(
        "an image is encoded as by another encoder",
        arguments: [
            (20, 12, 4, 3, "L$HoOF2*wubvqJR+jwe-f|fmfOfl"), (13, 17, 3, 4, "T$Hx$z2.sRqIW9jwgFfnfOsrWmju"),
            (8, 8, 1, 1, "00I5X?"),
            (
                30, 10, 9, 9,
                "|$He%u2kwsX9a_oeWoofWnusR#jyadfPjJa_jIa{fyfTfRfNfTfNfSfRfPxaSgjqbJfOj[a~j=a~eVf5fSf6fPf9fOf9fPx@SejsbFfSj=a~j[a_eCf5fSf7fPf8fRf5fSx@SgjrbGfRj@a{j]a{eCf5fSf8fOf8fQf6fP"
            ),
        ])
    func encode(width: Int, height: Int, across: Int, down: Int, expected: String) throws {
        let image = try hashedImage(width, height, isOpaque: true)
        #expect(try BlurHash(of: image, across: across, down: down).text == expected)
    }

    @Test("an encoded image decodes to a similar image")
    func roundTrip() throws {
        let image = try TestImage.gradient(300, 200).image()
        let hash = try BlurHash(of: image, across: 5, down: 4)
        #expect(BlurHash(hash.text) == hash)
        let shown = try hash.image(size: PixelSize(30, 20))
        let small = try image.applying([.resize(.pixels(width: 30, height: 20))])
        #expect(shown.difference(from: small) <= .tolerance(255, mean: 12))
        let average = image.pixels.averageColor
        #expect(abs(Int(hash.averageColor.blue) - Int(average.blue)) <= 1)
    }

    @Test(
        "an invalid hash is rejected",
        arguments: [
            "", "L", "LEHV6n", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdnjj", "00~~~~", "~EHV6n",
            "LEHV6nWB2yk8pyo0adR*.7kCMd\"j", "LEHV6nWB2yk8pyo0adR*.7kCMd\u{e4}",
            String(repeating: "0", count: 1_000_000),
        ])
    func hostile(text: String) {
        #expect(BlurHash(text) == nil)
    }

    @Test("sizes and parameters out of range are clamped")
    func bounds() throws {
        let hash = try #require(BlurHash("00I5X?"))
        #expect(try hash.image(size: PixelSize(.max, -5), punch: .nan).size == PixelSize(256, 1))
        let image = try TestImage.gradient(4, 4).image()
        #expect(try BlurHash(of: image, across: 99, down: -1).text.count == 4 + 2 * 9)
    }

    private func expect(_ image: DecodedImage, _ x: Int, _ y: Int, _ color: [Int]) {
        let pixel = image.pixels[x, y]
        let levels = [pixel.red, pixel.green, pixel.blue].map(Int.init)
        #expect(zip(levels, color).allSatisfy { abs($0 - $1) <= 1 }, "\(levels) in place of \(color)")
    }
}

/// The image of the test vectors.
func hashedImage(_ width: Int, _ height: Int, isOpaque: Bool) throws -> DecodedImage {
    try TransformFixture.image(width, height, isOpaque: isOpaque) { x, y in
        ImageColor(
            red: UInt8(x * 255 / (width - 1)), green: UInt8(y * 255 / (height - 1)),
            blue: UInt8((x * 7 + y * 13) % 256),
            alpha: isOpaque ? 255 : UInt8((x + y) * 255 / (width + height - 2)))
    }
}
