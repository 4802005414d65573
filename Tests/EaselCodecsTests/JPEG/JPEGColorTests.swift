import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

@Suite("JPEG: colours")
struct JPEGColorTests {
    private let file: Data
    private let stored: PixelBuffer

    init() throws {
        file = try Files.jpeg(Images.gradient(32, 32), quality: 1)
        stored = try JPEGCoder().decode(file, DecodeOptions(colorSpace: .unconverted)).pixels
    }

    private func shown(_ file: Data) throws -> [Pixel] {
        try JPEGCoder().decode(file, DecodeOptions()).pixels.pixels
    }

    private func converted(_ colors: ColorDescription) throws -> [Pixel] {
        let conversion = try #require(ColorConversion.from(colors, to: .sRGB))
        return try stored.converted(by: conversion) { false }.pixels
    }

    /// The file with APP2 segments, each a part of the profile.
    private func file(_ parts: [(number: UInt8, of: UInt8, bytes: ArraySlice<UInt8>)]) -> Data {
        let segments = parts.flatMap { part in
            let content = Array("ICC_PROFILE".utf8) + [0, part.number, part.of] + part.bytes
            return [0xFF, 0xE2, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
        }
        return file.prefix(2) + Data(segments) + file.dropFirst(2)
    }

    @Test("a profile is joined of its segments, in the order of their numbers")
    func segments() throws {
        let profile = try Profiles.rgb(.displayP3, exponent: 2.2)
        let description = try #require(ICCProfile(profile, for: .rgb))
        let expected = try converted(.profile(description))
        #expect(try shown(file([(1, 1, profile[...])])) == expected)
        #expect(try shown(file([(2, 2, profile[200...]), (1, 2, profile[..<200])])) == expected)
        #expect(expected != stored.pixels)
    }

    @Test("a profile of which a part is missing, or there twice, is none")
    func missingSegment() throws {
        let profile = try Profiles.rgb(.displayP3, exponent: 2.2)
        #expect(try shown(file([(1, 2, profile[...])])) == stored.pixels)
        #expect(try shown(file([(1, 2, profile[..<200]), (1, 2, profile[200...])])) == stored.pixels)
        #expect(try shown(file([(3, 2, profile[..<200]), (1, 2, profile[200...])])) == stored.pixels)
    }

    @Test("EXIF that says Adobe RGB counts where there is no profile (DCF 2.0)")
    func exif() throws {
        let adobe = Files.exif(colorSpace: 0xFFFF, interoperability: "R03")
        #expect(try shown(Files.jpeg(file, withEXIF: adobe)) == converted(.adobeRGB))
        for other in [
            Files.exif(colorSpace: 0xFFFF, interoperability: "R98"), Files.exif(colorSpace: 1, interoperability: "R03"),
        ] {
            #expect(try shown(Files.jpeg(file, withEXIF: other)) == stored.pixels)
        }
        let both = Files.jpeg(self.file([(1, 1, Profiles.sRGB[...])]), withEXIF: adobe)
        #expect(try shown(both) == stored.pixels)
    }

    @Test("EXIF cut short says nothing of colours")
    func cutOff() {
        let block = Files.exif(colorSpace: 0xFFFF, interoperability: "R03")
        #expect(ColorDescription(exif: block.span) == .adobeRGB)
        // The last bytes belong to the index itself, and to what follows it.
        for count in 0..<(block.count - 8) {
            #expect(ColorDescription(exif: Array(block.prefix(count)).span) == nil)
        }
    }

    @Test("wide colours that are written come back, by a profile with a name")
    func encode() throws {
        var image = DecodedImage(pixels: stored, metadata: ImageMetadata())
        image.metadata.colorSpace = .displayP3
        let written = try JPEGCoder().encode(image, EncodeOptions(quality: 1))
        let back = try JPEGCoder().decode(written, DecodeOptions(colorSpace: .displayP3))
        #expect(back.pixels.largestDifference(from: stored) <= 3)
        #expect(back.metadata.header?.profileName == "Display P3")
        let narrow = try JPEGCoder().decode(written, DecodeOptions()).pixels
        #expect(narrow.largestDifference(from: stored) > 8)
    }
}
