import EaselTesting
import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Colors: hostile profiles")
struct HostileProfileTests {
    private static let profiles = [
        Profiles.sRGB, Profiles.table(inks: false), Profiles.table(inks: true), Profiles.gray(exponent: 1.8),
    ]

    @Test("changed bytes result in a conversion or none, and no write out of bounds", arguments: profiles.indices)
    func flips(_ index: Int) throws {
        let profile = Self.profiles[index]
        var random = SeededGenerator(seed: UInt64(index))
        for round in 0..<80 {
            var bytes = profile
            for _ in 0...(round % 5) {
                // Half of the changes are in the header and the tag table.
                let end = round % 2 == 0 ? min(400, bytes.count) : bytes.count
                bytes[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            convert(bytes)
        }
    }

    @Test("a truncated profile results in a conversion or none", arguments: profiles.indices)
    func truncation(_ index: Int) {
        let profile = Self.profiles[index]
        for step in 0..<20 { convert(Array(profile.prefix(profile.count * step / 20))) }
    }

    @Test("a profile that is too large is ignored")
    func size() {
        let bytes = Profiles.sRGB + [UInt8](repeating: 0, count: ICCProfile.largestByteCount)
        #expect(ICCProfile(bytes, for: .rgb) == nil)
    }

    @Test("an unusable profile leaves the pixels unchanged, and its name is kept")
    func unusable() throws {
        let profile = try #require(ICCProfile.displayP3).bytes
        var broken = profile
        // Renames all tags except the description.
        for tag in stride(from: 132, to: 132 + 12 * Int(profile[131]), by: 12) where broken[tag] != UInt8(ascii: "d") {
            broken[tag] = 0
        }
        let original = try Images.noise(8, 8, seed: 2)
        let file = Files.png(try Files.png(original), withChunk: "iCCP", Files.profileChunk(broken))
        let image = try PNGCoder().decode(file, DecodeOptions())
        #expect(image.pixels.pixels == original.pixels)
        #expect(image.metadata.header?.profileName == "Display P3")
    }

    /// Builds every conversion that a file could need.
    private func convert(_ bytes: [UInt8]) {
        let guardWords: [UInt32] = [0x1234_5678, 0x9ABC_DEF0]
        var pixels: [UInt32] = [0xFF10_2030, 0x8040_2010, 0, 0xFFFF_FFFF] + guardWords
        if let profile = ICCProfile(bytes, for: .gray) ?? ICCProfile(bytes, for: .rgb) {
            let colors = ColorDescription.profile(profile)
            ColorConversion.build(colors, to: .sRGB, of: .pixels)?.convert(&pixels, count: 4)
            if profile.bytes.span.hasText("RGB ", at: 16) {
                ColorConversion.build(colors, to: .displayP3, of: .words)?
                    .convertWords([UInt16](repeating: 1_000, count: 16), to: &pixels, count: 4)
            }
        }
        if let profile = ICCProfile(bytes, for: .cmyk) {
            _ = ColorConversion.build(.profile(profile), to: .sRGB, of: .inks(isInverted: true))
        }
        #expect(Array(pixels[4...]) == guardWords, "Pixels beyond the count were written.")
    }
}
