import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

@Suite("WebP: colors")
struct WebPColorTests {
    /// Returns a lossless file in the extended layout, with chunks before its image.
    private func file(
        _ original: PixelBuffer, flags: UInt8, _ chunks: [(String, [UInt8])], after: [(String, [UInt8])] = []
    )
        throws -> Data
    {
        let simple = Array(try Files.webp(original))
        func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + littleEndian(content.count, 4) + content
                + [UInt8](repeating: 0, count: content.count % 2)
        }
        let canvas = [flags, 0, 0, 0] + littleEndian(original.width - 1, 3) + littleEndian(original.height - 1, 3)
        let content =
            chunk("VP8X", canvas) + chunks.flatMap { chunk($0.0, $0.1) } + simple[12...]
            + after.flatMap { chunk($0.0, $0.1) }
        return Data(Array("RIFF".utf8) + littleEndian(content.count + 4, 4) + Array("WEBP".utf8) + content)
    }

    @Test("the profile of the ICCP chunk is applied")
    func profile() throws {
        let original = try Images.noise(16, 16, seed: 3)
        let profile = try Profiles.rgb(.displayP3, exponent: 2.2)
        let file = try file(original, flags: 0x20, [("ICCP", profile)])
        let colors = ColorDescription.profile(try #require(ICCProfile(profile, for: .rgb)))
        let expected = try original.converted(by: ColorConversion.from(colors, to: .sRGB)) { false }
        #expect(try WebPCoder().decode(file, DecodeOptions()).pixels.pixels == expected.pixels)
        let stored = try WebPCoder().decode(file, DecodeOptions(colorSpace: .unconverted))
        #expect(stored.pixels.pixels == original.pixels)
    }

    @Test("the EXIF orientation is applied")
    func exif() throws {
        let original = try Images.noise(16, 8, seed: 3)
        let file = try file(original, flags: 0x08, [], after: [("EXIF", Files.exif(orientation: 6))])
        #expect(try WebPCoder().header(of: file).orientation == .right)
        #expect(try WebPCoder().decode(file, DecodeOptions()).size == PixelSize(8, 16))
    }

    @Test("wide colors are encoded as sRGB")
    func encode() throws {
        let original = try Images.gradient(16, 16)
        var image = DecodedImage(pixels: original, metadata: ImageMetadata())
        image.metadata.colorSpace = .displayP3
        let written = try WebPCoder().encode(image, EncodeOptions(quality: 1))
        let expected = try original.converted(by: ColorConversion.from(.codePoints(.displayP3), to: .sRGB)) { false }
        #expect(try WebPCoder().decode(written, DecodeOptions()).pixels.pixels == expected.pixels)
    }
}
