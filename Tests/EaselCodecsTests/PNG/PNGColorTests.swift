import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

@Suite("PNG: colors")
struct PNGColorTests {
    private let original: PixelBuffer
    private let file: Data

    init() throws {
        original = try Images.noise(16, 16, seed: 6)
        file = try Files.png(original)
    }

    private let standard: [UInt8] = [0]
    private let displayP3: [UInt8] = [12, 13, 0, 1]
    private let adobeGamma = Files.bigEndian(45_470)
    private let adobePrimaries = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000].flatMap(
        Files.bigEndian)

    /// Returns the image of a file with these chunks, in order.
    private func decode(_ chunks: [(String, [UInt8])], in space: ColorSpace = .sRGB) throws -> PixelBuffer {
        let tagged = chunks.reversed().reduce(file) { Files.png($0, withChunk: $1.0, $1.1) }
        return try PNGCoder().decode(tagged, DecodeOptions(colorSpace: space)).pixels
    }

    private func converted(_ colors: ColorDescription) throws -> [Pixel] {
        let conversion = try #require(ColorConversion.from(colors, to: .sRGB))
        return try original.converted(by: conversion) { false }.pixels
    }

    @Test("cICP precedes iCCP, then sRGB, then gAMA and cHRM (PNG third edition, 4.3)")
    func precedence() throws {
        let profile = try Profiles.rgb(.bt2020, exponent: 2.2)
        let all = [
            ("gAMA", adobeGamma), ("cHRM", adobePrimaries), ("sRGB", standard), ("iCCP", Files.profileChunk(profile)),
            ("cICP", displayP3),
        ]
        let byProfile = ColorDescription.profile(try #require(ICCProfile(profile, for: .rgb)))
        #expect(try decode(all).pixels == converted(.codePoints(.displayP3)))
        #expect(try decode(Array(all.prefix(4))).pixels == converted(byProfile))
        #expect(try decode(Array(all.prefix(3))).pixels == original.pixels)
        let exponent = 100_000.0 / 45_470
        #expect(try decode(Array(all.prefix(2))).pixels == converted(.power(.adobeRGB, exponent: exponent)))
    }

    @Test("gAMA without cHRM is not applied, as in browsers")
    func gammaAlone() throws {
        #expect(try decode([("gAMA", Files.bigEndian(100_000))]).pixels == original.pixels)
    }

    @Test(
        "gAMA and cHRM of sRGB have no effect, however they are rounded", arguments: [45_455, 45_000])
    func standardGamma(value: Int) throws {
        let primaries = [31_269, 32_899, 63_999, 33_001, 30_000, 60_000, 15_000, 5_999].flatMap(Files.bigEndian)
        #expect(try decode([("gAMA", Files.bigEndian(value)), ("cHRM", primaries)]).pixels == original.pixels)
    }

    @Test(
        "an invalid cICP chunk is ignored",
        arguments: [[12, 13, 0], [12, 13, 1, 1], [12, 13, 0, 0], [2, 13, 0, 1], [12, 2, 0, 1]] as [[UInt8]])
    func codePoints(_ content: [UInt8]) throws {
        #expect(try decode([("cICP", content)]).pixels == original.pixels)
    }

    @Test(
        "degenerate primaries are ignored",
        arguments: [[0, 0, 0, 0, 0, 0, 0, 0], [31_270, 0, 64_000, 33_000, 64_000, 33_000, 64_000, 33_000]])
    func primaries(_ numbers: [Int]) throws {
        let chunks = [("gAMA", Files.bigEndian(100_000)), ("cHRM", numbers.flatMap(Files.bigEndian))]
        #expect(try decode(chunks).pixels == original.pixels)
    }

    @Test("the image has the requested color space and reports it")
    func reportsRequestedColorSpace() throws {
        let tagged = Files.png(file, withChunk: "cICP", displayP3)
        for space in [ColorSpace.displayP3, .unconverted] {
            let image = try PNGCoder().decode(tagged, DecodeOptions(colorSpace: space))
            #expect(image.pixels.pixels == original.pixels)
            #expect(image.metadata.colorSpace == space)
        }
        #expect(try decode([], in: .displayP3).pixels != original.pixels)
    }

    @Test("wide colors are kept")
    func encode() throws {
        var image = DecodedImage(pixels: original, metadata: ImageMetadata())
        image.metadata.colorSpace = .displayP3
        let written = try PNGCoder().encode(image, EncodeOptions())
        #expect(try PNGCoder().decode(written, DecodeOptions(colorSpace: .displayP3)).pixels.pixels == original.pixels)
        #expect(try PNGCoder().decode(written, DecodeOptions()).pixels.pixels == converted(.codePoints(.displayP3)))
    }
}
