/// The bytes of an ICC profile (ICC.1), checked only so far that they can be handed on.
struct ICCProfile: Sendable, Hashable {
    /// What an image's samples are.
    enum Components {
        case gray
        case rgb
        case cmyk
    }

    /// Larger ones are not applied: those in use are under 3 MiB.
    static let largestByteCount = 4 << 20

    let bytes: [UInt8]

    /// `nil` for bytes that are no profile, or not one of images with these components. A gray image may have a
    /// profile of RGB.
    init?(_ bytes: some Sequence<UInt8>, for components: Components) {
        let bytes = Array(bytes.prefix(Self.largestByteCount + 1))
        guard bytes.count <= Self.largestByteCount, bytes.count >= Self.firstTag, bytes.span.holds("acsp", at: 36)
        else { return nil }
        let isUsable =
            switch components {
            case .gray: bytes.span.holds("GRAY", at: 16) || bytes.span.holds("RGB ", at: 16)
            case .rgb: bytes.span.holds("RGB ", at: 16)
            case .cmyk: bytes.span.holds("CMYK", at: 16)
            }
        guard isUsable else { return nil }
        self.bytes = bytes
    }

    private static let firstTag = 132

    /// What the `cicp` tag says, where there is one (ICC.1:2022, 9.2.17).
    var codePoints: CodePoints? {
        let profile = bytes.span
        let count = profile.bigEndian32(at: 128) ?? 0
        for tag in 0..<min(count, (profile.count - Self.firstTag) / 12) {
            let entry = Self.firstTag + tag * 12
            guard profile.holds("cicp", at: entry) else { continue }
            guard let offset = profile.bigEndian32(at: entry + 4), profile.holds("cicp", at: offset),
                let primaries = profile.byte(at: offset + 8), let transfer = profile.byte(at: offset + 9)
            else { return nil }
            return CodePoints(primaries: Int(primaries), transfer: Int(transfer))
        }
        return nil
    }
}

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
