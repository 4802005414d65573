import EaselTesting
import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Colors: conversion")
struct ColorConversionTests {
    private let wide = Chromaticities(
        white: .init(0.3457, 0.3585), red: .init(0.7347, 0.2653), green: .init(0.1596, 0.8404),
        blue: .init(0.0366, 0.0001))

    @Test("a matrix profile converts like lcms2, within one level")
    func matrix() throws {
        let spaces: [(Chromaticities, Double)] = [
            (.displayP3, 2.2), (.adobeRGB, 563.0 / 256), (.bt2020, 2.4), (wide, 1.8), (.sRGB, 1),
        ]
        for (chromaticities, exponent) in spaces {
            let profile = try Profiles.rgb(chromaticities, exponent: exponent)
            let conversion = try #require(applying(profile))
            guard case .matrix = conversion.kind else {
                Issue.record("The conversion for exponent \(exponent) has no matrix.")
                continue
            }
            try expectSameAsLittleCMS(conversion, profile, within: 1)
        }
    }

    @Test("a profile with a table is converted by lcms2")
    func table() throws {
        let profile = Profiles.table(inks: false)
        let conversion = try #require(applying(profile))
        try expectSameAsLittleCMS(conversion, profile, within: 1)
    }

    @Test("a gray image accepts a gray profile or one of RGB")
    func gray() throws {
        let profile = Profiles.gray(exponent: 1)
        let description = ColorDescription.profile(try #require(ICCProfile(profile, for: .gray)))
        let conversion = try #require(ColorConversion.from(description, to: .sRGB))
        let ramp = try PixelBuffer.drawn(256, 1, isOpaque: true) { x, _ in
            Pixel(blue: UInt8(x), green: UInt8(x), red: UInt8(x), alpha: 255)
        }
        let expected = Profiles.converted(Array(0...255), by: profile, channels: 1)
        #expect(try ramp.converted(by: conversion) { false }.samples == expected)
        #expect(ICCProfile(Profiles.sRGB, for: .gray) != nil)
    }

    @Test("a profile for other components than the image's is ignored")
    func components() {
        #expect(ICCProfile(Profiles.gray(exponent: 1), for: .rgb) == nil)
        #expect(ICCProfile(Profiles.table(inks: true), for: .rgb) == nil)
        #expect(ICCProfile(Profiles.sRGB, for: .cmyk) == nil)
    }

    @Test("CMYK is converted by its profile, inverted or not", arguments: [false, true])
    func inks(isInverted: Bool) throws {
        let profile = Profiles.table(inks: true)
        let description = ColorDescription.profile(try #require(ICCProfile(profile, for: .cmyk)))
        var random = SeededGenerator(seed: 3)
        let stored = try PixelBuffer.drawn(33, 7, isOpaque: false) { _, _ in
            let bits = random.next()
            return Pixel(
                blue: UInt8(truncatingIfNeeded: bits), green: UInt8(truncatingIfNeeded: bits >> 8),
                red: UInt8(truncatingIfNeeded: bits >> 16), alpha: UInt8(truncatingIfNeeded: bits >> 24))
        }
        let samples = stored.pixels.flatMap { [$0.blue, $0.green, $0.red, $0.alpha] }
        let inks = CMYK(description, isInverted: isInverted, to: .sRGB)
        var converted = stored
        try converted.change(keepsContent: true) { (bytes) throws(ImageError) in
            guard let canvas = Canvas(bytes, bytesPerRow: 192, size: PixelSize(33, 7)) else { return }
            try inks.convert(canvas) { false }
        }
        #expect(converted.samples == Profiles.converted(samples, by: profile, channels: 4, isInverted: isInverted))
        #expect(converted.pixels.allSatisfy { $0.alpha == 255 })
        #expect(inks.colors == nil)
    }

    @Test("translucent pixels are converted without their alpha")
    func translucent() throws {
        let conversion = try #require(ColorConversion.from(.adobeRGB, to: .sRGB))
        let image = try Images.translucent(256, 64)
        let converted = try image.converted(by: conversion) { false }
        for (before, after) in zip(image.pixels, converted.pixels) {
            #expect(before.alpha == after.alpha)
            var straight = PremultipliedPixel.unpremultiply(pack(before)) | 0xFF00_0000
            conversion.convert(&straight, count: 1)
            let expected = PackedPixel.premultiplied(
                red: UInt8(straight >> 16 & 0xFF), green: UInt8(straight >> 8 & 0xFF), blue: UInt8(straight & 0xFF),
                alpha: before.alpha)
            #expect(pack(after) == expected)
        }
    }

    @Test("variants of sRGB need no conversion")
    func standard() throws {
        #expect(applying(Profiles.sRGB) == nil)
        #expect(ColorConversion.from(.sRGB, to: .sRGB) == nil)
        #expect(ColorConversion.from(.codePoints(CodePoints(primaries: 1, transfer: 13)), to: .sRGB) == nil)
        #expect(ColorConversion.from(.codePoints(CodePoints(primaries: 2, transfer: 2)), to: .sRGB) == nil)
        // The camera's curve of BT.709 is not the one of displays.
        #expect(ColorConversion.from(.codePoints(CodePoints(primaries: 1, transfer: 1)), to: .sRGB) == nil)
    }

    @Test("Display P3 is kept if requested, and sRGB is converted to it")
    func displayP3() throws {
        let profile = ColorDescription.profile(try #require(ICCProfile.displayP3))
        #expect(ColorConversion.from(profile, to: .displayP3) == nil)
        #expect(ColorConversion.from(.codePoints(.displayP3), to: .displayP3) == nil)
        let toP3 = try #require(ColorConversion.from(.sRGB, to: .displayP3))
        // Red of sRGB in Display P3 is 0.917, 0.200, 0.139 according to CSS Color 4.
        var red: UInt32 = 0xFFFF_0000
        toP3.convert(&red, count: 1)
        #expect(red == 0xFFEA_3323)
        var white: UInt32 = 0xFFFF_FFFF
        toP3.convert(&white, count: 1)
        #expect(white == 0xFFFF_FFFF)
    }

    @Test("the values are kept if no conversion is requested")
    func unconverted() throws {
        let profile = try #require(ICCProfile(Profiles.table(inks: false), for: .rgb))
        #expect(ColorConversion.from(.profile(profile), to: .unconverted) == nil)
    }

    @Test("code points convert like the equivalent profile")
    func codePoints() throws {
        let byPoints = try #require(ColorConversion.from(.codePoints(.displayP3), to: .sRGB))
        let profile = try #require(ICCProfile.displayP3)
        let byProfile = try #require(applying(profile.bytes))
        let image = try Images.noise(64, 64, seed: 8)
        let converted = try image.converted(by: byPoints) { false }
        #expect(converted.largestDifference(from: try image.converted(by: byProfile) { false }) <= 1)
        #expect(converted.largestDifference(from: image) > 8)
    }

    @Test("16 bits are converted like 8 bits")
    func words() throws {
        for chromaticities in [Chromaticities.adobeRGB, .bt2020] {
            let differences = try differences(between: .power(chromaticities, exponent: 2.2))
            #expect(differences.max() ?? 255 <= 1)
        }
    }

    @Test("16 bits of a profile with a table are converted like 8 bits, except for lcms2's grids")
    func tableWords() throws {
        let profile = try #require(ICCProfile(Profiles.table(inks: false), for: .rgb))
        let differences = try differences(between: .profile(profile))
        #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 0.5)
    }

    /// Returns the differences between the components of an image converted from 8 bits and from 16.
    private func differences(between colors: ColorDescription) throws -> [Int] {
        let narrow = try #require(ColorConversion.from(colors, to: .sRGB))
        let wide = try #require(ColorConversion.from(colors, to: .sRGB, of: .words))
        let image = try Images.noise(64, 16, seed: 5)
        let words = image.pixels.flatMap { [$0.red, $0.green, $0.blue, $0.alpha].map { UInt16($0) * 257 } }
        var pixels = [UInt32](repeating: 0, count: 64 * 16)
        wide.convertWords(words, to: &pixels, count: pixels.count)
        let expected = try image.converted(by: narrow) { false }.pixels.map(pack)
        return zip(pixels, expected).flatMap { pixel, other in
            [0, 8, 16, 24].map { (shift: UInt32) in abs(Int(pixel >> shift & 0xFF) - Int(other >> shift & 0xFF)) }
        }
    }

    private func applying(_ profile: [UInt8]) -> ColorConversion? {
        ICCProfile(profile, for: .rgb).flatMap { ColorConversion.from(.profile($0), to: .sRGB) }
    }

    private func expectSameAsLittleCMS(
        _ conversion: ColorConversion, _ profile: [UInt8], within tolerance: Int
    ) throws {
        let image = try Images.noise(101, 60, seed: 11)
        let expected = Profiles.converted(image.samples, by: profile, channels: 3)
        let converted = try image.converted(by: conversion) { false }.samples
        let difference = zip(converted, expected).map { abs(Int($0) - Int($1)) }.max()
        #expect(difference ?? 255 <= tolerance)
    }

    private func pack(_ pixel: Pixel) -> UInt32 {
        UInt32(pixel.alpha) << 24 | UInt32(pixel.red) << 16 | UInt32(pixel.green) << 8 | UInt32(pixel.blue)
    }
}
