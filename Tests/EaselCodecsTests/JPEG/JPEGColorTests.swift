import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

@Suite("JPEG: colors")
struct JPEGColorTests {
    private let file: Data
    private let stored: PixelBuffer

    init() throws {
        file = try Files.jpeg(Images.gradient(32, 32), quality: 1)
        stored = try JPEGCoder().decode(file, DecodeOptions(colorSpace: .unconverted)).pixels
    }

    private func decode(_ file: Data) throws -> [Pixel] {
        try JPEGCoder().decode(file, DecodeOptions()).pixels.pixels
    }

    private func converted(_ colors: ColorDescription) throws -> [Pixel] {
        let conversion = try #require(ColorConversion.from(colors, to: .sRGB))
        return try stored.converted(by: conversion) { false }.pixels
    }

    /// Returns the file with APP2 segments, each with a part of the profile.
    private func file(_ parts: [(number: UInt8, of: UInt8, bytes: ArraySlice<UInt8>)]) -> Data {
        let segments = parts.flatMap { part in
            let content = Array("ICC_PROFILE".utf8) + [0, part.number, part.of] + part.bytes
            return [0xFF, 0xE2, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
        }
        return file.prefix(2) + Data(segments) + file.dropFirst(2)
    }

    @Test("a profile is assembled from its segments in the order of their numbers")
    func segments() throws {
        let profile = try Profiles.rgb(.displayP3, exponent: 2.2)
        let description = try #require(ICCProfile(profile, for: .rgb))
        let expected = try converted(.profile(description))
        #expect(try decode(file([(1, 1, profile[...])])) == expected)
        #expect(try decode(file([(2, 2, profile[200...]), (1, 2, profile[..<200])])) == expected)
        #expect(expected != stored.pixels)
    }

    @Test("a profile with a missing or repeated part is ignored")
    func missingSegment() throws {
        let profile = try Profiles.rgb(.displayP3, exponent: 2.2)
        #expect(try decode(file([(1, 2, profile[...])])) == stored.pixels)
        #expect(try decode(file([(1, 2, profile[..<200]), (1, 2, profile[200...])])) == stored.pixels)
        #expect(try decode(file([(3, 2, profile[..<200]), (1, 2, profile[200...])])) == stored.pixels)
    }

    @Test("EXIF's Adobe RGB applies if there is no profile (DCF 2.0)")
    func exif() throws {
        let adobe = Files.exif(colorSpace: 0xFFFF, interoperability: "R03")
        #expect(try decode(Files.jpeg(file, withEXIF: adobe)) == converted(.adobeRGB))
        for other in [
            Files.exif(colorSpace: 0xFFFF, interoperability: "R98"), Files.exif(colorSpace: 1, interoperability: "R03"),
        ] {
            #expect(try decode(Files.jpeg(file, withEXIF: other)) == stored.pixels)
        }
        let both = Files.jpeg(self.file([(1, 1, Profiles.sRGB[...])]), withEXIF: adobe)
        #expect(try decode(both) == stored.pixels)
    }

    @Test("truncated EXIF has no color space")
    func cutOff() {
        let block = Files.exif(colorSpace: 0xFFFF, interoperability: "R03")
        #expect(ColorDescription(exif: block.span) == .adobeRGB)
        // The last bytes belong to the index and to the data after it.
        for count in 0..<(block.count - 8) {
            #expect(ColorDescription(exif: Array(block.prefix(count)).span) == nil)
        }
    }

    @Test("written wide-gamut colors are read back by a named profile")
    func encode() throws {
        var image = DecodedImage(pixels: stored, metadata: ImageMetadata())
        image.metadata.colorSpace = .displayP3
        let written = try JPEGCoder().encode(image, EncodeOptions(quality: 1))
        let decoded = try JPEGCoder().decode(written, DecodeOptions(colorSpace: .displayP3))
        #expect(decoded.pixels.largestDifference(from: stored) <= 3)
        #expect(decoded.metadata.header?.profileName == "Display P3")
        let narrow = try JPEGCoder().decode(written, DecodeOptions()).pixels
        #expect(narrow.largestDifference(from: stored) > 8)
    }
}
