import EaselTesting
import CEaselPixels
import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Colors: kernels")
struct ColorKernelTests {
    @Test("the fast kernel returns the same bytes as the plain one at every length", arguments: 0..<20)
    func convert(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        // Products of any size, including those far outside the range of a curve.
        var table = (0..<(3 * 256 * 4)).map { _ in Int32.random(in: -400_000_000...400_000_000, using: &random) }
        for row in stride(from: 3, to: table.count, by: 4) { table[row] = 0 }
        for round in 0..<50 {
            let pixels = (0..<count).map { _ in
                let alpha: UInt8 = round % 3 == 0 ? .random(in: 0...255, using: &random) : 255
                let (red, green, blue) = (random.next(), random.next(), random.next())
                return PackedPixel.premultiplied(
                    red: UInt8(truncatingIfNeeded: red), green: UInt8(truncatingIfNeeded: green),
                    blue: UInt8(truncatingIfNeeded: blue), alpha: alpha)
            }
            var (fast, plain) = (pixels, pixels)
            table.withUnsafeBytes { words in
                let matrix = words.assumingMemoryBound(to: easel_color_matrix.self).baseAddress
                easel_color_convert(matrix, OutputCurve.values, &fast, count)
                easel_color_convert_plain(matrix, OutputCurve.values, &plain, count)
            }
            #expect(fast == plain)
        }
    }

    @Test("premultiplying reverses straightening")
    func premultiply() throws {
        let pixels = try Images.translucent(256, 256).pixels.map { pixel in
            UInt32(pixel.alpha) << 24 | UInt32(pixel.red) << 16 | UInt32(pixel.green) << 8 | UInt32(pixel.blue)
        }
        var straight = pixels
        easel_color_straighten(pixels, &straight, pixels.count)
        #expect(straight == pixels.map(PremultipliedPixel.unpremultiply))
        var result = straight
        easel_color_premultiply(straight, &result, pixels.count)
        #expect(result == pixels)
    }
}
