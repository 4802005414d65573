/// An ICC profile (ICC.1), checked only as far as needed to pass it on.
struct ICCProfile: Sendable, Hashable {
    /// The kind of an image's samples.
    enum Components {
        case gray
        case rgb
        case cmyk
    }

    /// The largest profile that is applied. Profiles in use are under 3 MiB.
    static let largestByteCount = 4 << 20

    let bytes: [UInt8]

    /// Returns `nil` if the bytes are not a profile for these components. A gray image can have an RGB profile.
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

    /// The code points of the `cicp` tag, if there is one (ICC.1:2022, 9.2.17).
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

/// The description of an ICC profile.
enum ICCProfileName {
    /// Returns the text of the `desc` tag (ICC.1 9.2.41), in the format of version 2 (`desc`) or version 4 (`mluc`, its
    /// English or first text); `nil` if it is missing or damaged.
    static func read(from profile: Span<UInt8>) -> String? {
        guard let place = place(in: profile), place.upperBound <= profile.count else { return nil }
        return text(in: profile.extracting(place))
    }

    /// Returns the range of the tag in the tag table. It can extend past the end.
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

    /// Reads the text of version 2: a length that includes the terminating zero, and the characters.
    private static func asciiText(in tag: Span<UInt8>) -> String? {
        guard let count = tag.bigEndian32(at: 8), count <= tag.count - 12 else { return nil }
        var characters: [UInt8] = []
        for offset in 12..<(12 + count) where tag[offset] != 0 { characters.append(tag[offset]) }
        return characters.isEmpty ? nil : String(decoding: characters, as: UTF8.self)
    }

    /// Reads the text of version 4: records of language, country, length and offset, each text in UTF-16.
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
