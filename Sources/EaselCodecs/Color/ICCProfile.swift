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
        guard bytes.count <= Self.largestByteCount, bytes.count >= Self.firstTag, bytes.span.hasText("acsp", at: 36)
        else { return nil }
        let isUsable =
            switch components {
            case .gray: bytes.span.hasText("GRAY", at: 16) || bytes.span.hasText("RGB ", at: 16)
            case .rgb: bytes.span.hasText("RGB ", at: 16)
            case .cmyk: bytes.span.hasText("CMYK", at: 16)
            }
        guard isUsable else { return nil }
        self.bytes = bytes
    }

    private static let firstTag = 132

    /// The code points of the `cicp` tag, if there is one (ICC.1:2022, 9.2.17).
    var codePoints: CodePoints? {
        let profile = bytes.span
        guard let offset = Self.tag("cicp", in: profile)?.lowerBound, profile.hasText("cicp", at: offset),
            let primaries = profile.byte(at: offset + 8), let transfer = profile.byte(at: offset + 9)
        else { return nil }
        return CodePoints(primaries: Int(primaries), transfer: Int(transfer))
    }

    /// Returns the range of a tag in the tag table. It can extend past the end.
    static func tag(_ name: StaticString, in profile: Span<UInt8>) -> Range<Int>? {
        let count = min(profile.bigEndian32(at: 128) ?? 0, (profile.count - 128) / 12)
        let entry = stride(from: firstTag, to: firstTag + count * 12, by: 12).first { profile.hasText(name, at: $0) }
        guard let entry, let offset = profile.bigEndian32(at: entry + 4), let size = profile.bigEndian32(at: entry + 8)
        else { return nil }
        return offset..<(offset + size)
    }
}

/// The description of an ICC profile.
enum ICCProfileName {
    /// Returns the text of the `desc` tag (ICC.1 9.2.41), in the format of version 2 (`desc`) or version 4 (`mluc`, its
    /// English or first text); `nil` if it is missing or damaged.
    static func read(from profile: Span<UInt8>) -> String? {
        guard let range = ICCProfile.tag("desc", in: profile), range.upperBound <= profile.count else { return nil }
        let tag = profile.extracting(range)
        return tag.hasText("desc", at: 0)
            ? asciiText(in: tag) : tag.hasText("mluc", at: 0) ? localizedText(in: tag) : nil
    }

    /// Reads the text of version 2: a length that includes the terminating zero, and the characters.
    private static func asciiText(in tag: Span<UInt8>) -> String? {
        guard let count = tag.bigEndian32(at: 8), count <= tag.count - 12 else { return nil }
        let characters = (12..<(12 + count)).map { tag[$0] }.filter { $0 != 0 }
        return characters.isEmpty ? nil : String(decoding: characters, as: UTF8.self)
    }

    /// Reads the text of version 4: records of language, country, length and offset, each text in UTF-16.
    private static func localizedText(in tag: Span<UInt8>) -> String? {
        guard let count = tag.bigEndian32(at: 8), let recordSize = tag.bigEndian32(at: 12), recordSize >= 12,
            count > 0
        else { return nil }
        let records = (0..<min(count, tag.count / 12)).map { 16 + $0 * recordSize }
        let english = records.first { tag.hasText("en", at: $0) }
        guard let record = english ?? records.first,
            let length = tag.bigEndian32(at: record + 4), let offset = tag.bigEndian32(at: record + 8),
            offset <= tag.count, length <= tag.count - offset
        else { return nil }
        let units = (0..<(length / 2)).map { UInt16(tag.bigEndian16(at: offset + $0 * 2) ?? 0) }.filter { $0 != 0 }
        return units.isEmpty ? nil : String(decoding: units, as: UTF16.self)
    }
}
