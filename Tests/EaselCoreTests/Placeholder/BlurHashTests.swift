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
    }

    private func expect(_ image: DecodedImage, _ x: Int, _ y: Int, _ color: [Int]) {
        let pixel = image.pixels[x, y]
        let levels = [pixel.red, pixel.green, pixel.blue].map(Int.init)
        #expect(zip(levels, color).allSatisfy { abs($0 - $1) <= 1 }, "\(levels) instead of \(color)")
    }
}
