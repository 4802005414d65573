import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselCodecs

@Suite("PNG: colors of 16 bits")
struct PNGWordColorTests {
    /// Returns a file with a row of gray and alpha in 16 bits.
    private func file(_ pixels: [(gray: UInt16, alpha: UInt16)], _ chunks: [(PNGChunkType, [UInt8])]) -> Data {
        func bytes(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        var writer = PNGChunkWriter()
        writer.append(.imageHeader, Files.bigEndian(pixels.count) + Files.bigEndian(1) + [16, 4, 0, 0, 0])
        for (type, content) in chunks { writer.append(type, content) }
        writer.append(.imageData, Files.zlib([0] + pixels.flatMap { bytes($0.gray) + bytes($0.alpha) }))
        writer.append(.end, [])
        return Data(writer.bytes)
    }

    @Test("PQ is tone mapped with all of its bits")
    func quantizer() throws {
        let value = UInt16(PerceptualQuantizer.value(203.0 / 4) * 65_535)
        let file = file([(value, .max), (.max, .max), (0, .max), (.max, 0)], [(.codePoints, [9, 16, 0, 1])])
        let pixels = try PNGCoder().decode(file, DecodeOptions()).pixels.pixels
        #expect(pixels[0] == Pixel(blue: 137, green: 137, red: 137, alpha: 255))
        #expect(pixels[1] == Pixel(blue: 255, green: 255, red: 255, alpha: 255))
        #expect(pixels[2] == Pixel(blue: 0, green: 0, red: 0, alpha: 255))
        #expect(pixels[3] == Pixel(blue: 0, green: 0, red: 0, alpha: 0))
    }

    @Test("dark values of a linear image are not rounded to 8 bits before they are converted")
    func linear() throws {
        // A 600th of the light is 255 * 12.92 / 600 = 5.5 in sRGB; in 8 bits it would be 0.
        let file = file([(109, .max)], [(.profile, Files.profileChunk(Profiles.gray(exponent: 1)))])
        let pixel = try PNGCoder().decode(file, DecodeOptions()).pixels[0, 0]
        #expect((5...6).contains(pixel.green))
    }

    @Test("values are as stored if no conversion is requested")
    func unconverted() throws {
        let file = file([(0x8080, .max)], [(.codePoints, [9, 16, 0, 1])])
        let pixel = try PNGCoder().decode(file, DecodeOptions(colorSpace: .unconverted)).pixels[0, 0]
        #expect(pixel.green == 0x80)
    }
}
