import Testing

@testable import EaselCodecs

@Suite("Metadata: profile names")
struct ICCProfileNameTests {
    @Test("the text of version 2 is read")
    func ascii() {
        let text = Array("Display P3".utf8) + [0]
        let tag = Array("desc".utf8) + [0, 0, 0, 0] + Files.bigEndian(text.count) + text
        #expect(ICCProfileName.read(from: profile(tag).span) == "Display P3")
    }

    @Test("the localized text of version 4 is read")
    func localized() {
        let text = "sRGB".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let tag =
            Array("mluc".utf8) + [0, 0, 0, 0] + Files.bigEndian(1) + Files.bigEndian(12) + Array("enUS".utf8)
            + Files.bigEndian(text.count) + Files.bigEndian(28) + text
        #expect(ICCProfileName.read(from: profile(tag).span) == "sRGB")
    }

    @Test("English is preferred to the first language")
    func english() {
        let german = "Ger".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let english = "Eng".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let tag =
            Array("mluc".utf8) + [0, 0, 0, 0] + Files.bigEndian(2) + Files.bigEndian(12) + Array("deDE".utf8)
            + Files.bigEndian(6) + Files.bigEndian(40) + Array("enUS".utf8) + Files.bigEndian(6)
            + Files.bigEndian(46) + german + english
        #expect(ICCProfileName.read(from: profile(tag).span) == "Eng")
    }

    @Test("a damaged profile has no name", arguments: [0, 3, 130, 140, 150])
    func cutOff(count: Int) {
        let text = Array("Display P3".utf8) + [0]
        let tag = Array("desc".utf8) + [0, 0, 0, 0] + Files.bigEndian(text.count) + text
        #expect(ICCProfileName.read(from: Array(profile(tag).prefix(count)).span) == nil)
    }

    @Test("a length beyond the end of the profile results in no name")
    func hostileLength() {
        let tag = Array("desc".utf8) + [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF] + Array("name".utf8)
        #expect(ICCProfileName.read(from: profile(tag).span) == nil)
        let localized =
            Array("mluc".utf8) + [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] + Array("enUS".utf8)
        #expect(ICCProfileName.read(from: profile(localized).span) == nil)
    }

    /// Returns a profile with a `desc` tag.
    private func profile(_ tag: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 128) + Files.bigEndian(1) + Array("desc".utf8) + Files.bigEndian(144)
            + Files.bigEndian(tag.count) + tag
    }
}
