/// The name that an ICC profile gives itself.
enum ICCProfileName {
    /// The text of the profile's `desc` tag (ICC.1 9.2.41), in the forms of version 2 (`desc`) and version 4 (`mluc`, its
    /// English or first text). `nil` for a profile without one, or a damaged one.
    static func read(from profile: Span<UInt8>) -> String? {
        guard let place = place(in: profile), place.upperBound <= profile.count else { return nil }
        return text(in: profile.extracting(place))
    }

    /// Where the tag stands by the list at the profile's beginning. It may be beyond the end.
    private static func place(in profile: Span<UInt8>) -> Range<Int>? {
        let firstTag = 132
        guard let count = profile.bigEndian32(at: 128) else { return nil }
        for tag in 0..<min(count, (profile.count - 128) / 12) {
            let entry = firstTag + tag * 12
            guard profile.holds("desc", at: entry) else { continue }
            guard let offset = profile.bigEndian32(at: entry + 4), let size = profile.bigEndian32(at: entry + 8) else {
                return nil
            }
            return offset..<(offset + size)
        }
        return nil
    }

    private static func text(in tag: Span<UInt8>) -> String? {
        if tag.holds("desc", at: 0) { return asciiText(in: tag) }
        if tag.holds("mluc", at: 0) { return localizedText(in: tag) }
        return nil
    }

    /// Version 2: a length that counts a closing zero, and the characters.
    private static func asciiText(in tag: Span<UInt8>) -> String? {
        guard let count = tag.bigEndian32(at: 8), count <= tag.count - 12 else { return nil }
        var characters: [UInt8] = []
        for offset in 12..<(12 + count) where tag[offset] != 0 { characters.append(tag[offset]) }
        return characters.isEmpty ? nil : String(decoding: characters, as: UTF8.self)
    }

    /// Version 4: records of language, country, length and place, each text in UTF-16.
    private static func localizedText(in tag: Span<UInt8>) -> String? {
        guard let count = tag.bigEndian32(at: 8), let recordSize = tag.bigEndian32(at: 12), recordSize >= 12,
            count > 0
        else { return nil }
        let records = (0..<min(count, tag.count / 12)).map { 16 + $0 * recordSize }
        let english = records.first { tag.holds("en", at: $0) }
        guard let record = english ?? records.first,
            let length = tag.bigEndian32(at: record + 4), let offset = tag.bigEndian32(at: record + 8),
            offset <= tag.count, length <= tag.count - offset
        else { return nil }
        var units: [UInt16] = []
        for unit in 0..<(length / 2) {
            guard let value = tag.bigEndian16(at: offset + unit * 2), value != 0 else { continue }
            units.append(UInt16(truncatingIfNeeded: value))
        }
        return units.isEmpty ? nil : String(decoding: units, as: UTF16.self)
    }
}
