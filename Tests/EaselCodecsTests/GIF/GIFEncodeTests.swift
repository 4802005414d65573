import EaselTesting
import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("GIF: encoding")
struct GIFEncodeTests {
    private func encode(_ pixels: PixelBuffer) throws -> Data {
        try GIFCoder().encode(DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions())
    }

    private func encodeAndDecode(_ pixels: PixelBuffer) throws -> PixelBuffer {
        try GIFCoder().decode(encode(pixels), DecodeOptions()).pixels
    }

    @Test("up to 256 colors are kept exactly", arguments: [1, 2, 3, 16, 17, 255, 256])
    func exact(count: Int) throws {
        let image = try PixelBuffer.drawn(32, 32, isOpaque: true) { x, y in
            let color = (y * 32 + x) % count
            return Pixel(blue: UInt8(color), green: UInt8(255 - color), red: UInt8(color * 37 % 256), alpha: 255)
        }
        #expect(try encodeAndDecode(image).pixels == image.pixels)
    }

    @Test("more than 256 colors are approximated with the same mean brightness")
    func quantized() throws {
        let image = try Images.gradient(128, 96)
        let result = try encodeAndDecode(image)
        #expect(Set(result.pixels).count <= 256)
        #expect(result.largestDifference(from: image) < 64)
        let sums = [image, result].map { $0.pixels.reduce(0) { $0 + Int($1.red) + Int($1.green) + Int($1.blue) } }
        #expect(abs(sums[0] - sums[1]) < sums[0] / 200)
    }

    @Test("pixels with an alpha below one half become transparent, other pixels opaque in their straight color")
    func alpha() throws {
        let result = try encodeAndDecode(try Images.translucent(64, 8))
        for x in 0..<64 {
            let isClear = x * 255 / 63 < 128
            #expect(result[x, 4].alpha == (isClear ? 0 : 255))
        }
        // Half red, premultiplied.
        let half = try PixelBuffer.drawn(1, 1, isOpaque: false) { _, _ in Pixel(blue: 0, green: 0, red: 128, alpha: 128)
        }
        #expect(try encodeAndDecode(half)[0, 0] == Pixel(blue: 0, green: 0, red: 255, alpha: 255))
    }

    @Test(
        "noise of any length is unchanged, with a full table cleared",
        arguments: [1, 7, 300, 4_095, 4_096, 70_000])
    func lengths(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let image = try PixelBuffer.drawn(count, 1, isOpaque: true) { _, _ in
            let level = UInt8.random(in: 0...200, using: &random)
            return Pixel(blue: level, green: level, red: 255 - level, alpha: 255)
        }
        if count > 65_535 {
            let error = #expect(throws: ImageError.self) { try encode(image) }
            #expect(error?.code == .unsupported)
        } else {
            #expect(try encodeAndDecode(image).pixels == image.pixels)
        }
    }

    @Test("durations are rounded to the same total, and never below the minimum of viewers")
    func rounding() throws {
        let frame = try Images.gradient(2, 2)
        let frames = Files.animation(
            Array(repeating: frame, count: 5), milliseconds: [33, 33, 34, 16, 11], isOpaque: true)
        let header = try GIFCoder().header(of: try GIFCoder().encode(frames, EncodeOptions()))
        #expect(header.frameDurations == [30, 40, 30, 20, 20].map { .milliseconds($0) })
    }
}
