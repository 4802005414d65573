import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("ThumbHash")
struct ThumbHashTests {
    /// Expected values from the package `fast-thumbhash` 1.0.0 of PyPI, which wraps the reference implementation. The
    /// first is an example of evanw.github.io/thumbhash.
    @Test(
        "a hash is decoded as by the reference decoder, within one level",
        arguments: [
            (
                "1QcSHQRnh493V4dIh4eXh1h4kJUI", PixelSize(23, 32),
                [
                    [0, 0, 64, 77, 113, 255], [22, 0, 84, 109, 139, 255], [11, 16, 140, 109, 88, 255],
                    [0, 31, 0, 12, 42, 255], [22, 31, 0, 4, 39, 255], [5, 7, 146, 138, 148, 255],
                ]
            ),
            (
                "4PcNDJxwd3dweHiHh3fx9Q74dw==", PixelSize(32, 18),
                [
                    [0, 0, 2, 16, 0, 255], [31, 0, 255, 0, 123, 255], [16, 9, 126, 136, 153, 255],
                    [0, 17, 0, 255, 123, 255], [31, 17, 201, 214, 171, 255], [5, 7, 43, 122, 96, 255],
                ]
            ),
        ])
    func decode(text: String, size: PixelSize, expected: [[Int]]) throws {
        let image = try #require(ThumbHash(text)).image()
        #expect(image.size == size && image.pixels.isOpaque && image.metadata.isPlaceholder)
        for line in expected {
            let pixel = image.pixels[line[0], line[1]]
            let levels = [pixel.red, pixel.green, pixel.blue, pixel.alpha].map(Int.init)
            #expect(zip(levels, line[2...]).allSatisfy { abs($0 - $1) <= 1 }, "\(levels) instead of \(line)")
        }
    }

    @Test("a hash with alpha is decoded")
    func decodeAlpha() throws {
        // Expected values of the same package, not premultiplied.
        let hash = try #require(ThumbHash("5heGC44noYiweIjy8x76Z4CHg4iIeIg="))
        let image = try hash.image()
        #expect(image.size == PixelSize(32, 19) && !image.pixels.isOpaque)
        let expected = [
            [0, 0, 157, 131, 133, 46], [31, 0, 232, 74, 147, 155], [16, 9, 144, 138, 164, 126],
            [0, 18, 106, 211, 155, 100], [31, 18, 211, 204, 169, 255], [5, 7, 136, 133, 146, 42],
        ]
        for line in expected {
            let pixel = image.pixels[line[0], line[1]]
            let average = ImageColor(
                red: UInt8(line[2]), green: UInt8(line[3]), blue: UInt8(line[4]), alpha: UInt8(line[5])
            ).pixel
            #expect(abs(Int(pixel.alpha) - Int(average.alpha)) <= 1 && abs(Int(pixel.red) - Int(average.red)) <= 1)
        }
    }

    @Test("base 64 can have the URL alphabet and no padding")
    func alphabets() {
        #expect(ThumbHash("4PcNDJxwd3dweHiHh3fx9Q74dw") == ThumbHash("4PcNDJxwd3dweHiHh3fx9Q74dw=="))
        let bytes = Data([0xFB, 0xEF, 0x3E, 0x1F, 0x07] + [UInt8](repeating: 0xFB, count: 20))
        let text = bytes.base64EncodedString()
        let other = text.replacing("+", with: "-").replacing("/", with: "_")
        #expect(ThumbHash(text) != nil && ThumbHash(other) == ThumbHash(text))
    }

    @Test("random bytes are rejected or decoded, without reading beyond the end")
    func hostile() throws {
        var random = SeededGenerator(seed: 42)
        var decoded = 0
        for _ in 0..<300 {
            let count = Int.random(in: 0...30, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            guard let hash = ThumbHash(Data(bytes)) else { continue }
            let size = try hash.image().size
            #expect(max(size.width, size.height) == 32 && min(size.width, size.height) >= 1)
            decoded += 1
        }
        #expect(decoded > 10)
        for text in ["", "=", "1QcS", "1QcSHQ", "\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}"] {
            #expect(ThumbHash(text) == nil)
        }
        #expect(ThumbHash(String(repeating: "A", count: 1_000_000)) == nil)
    }
}
