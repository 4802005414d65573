/// The bytes of an ICC profile (ICC.1), checked only so far that they can be handed on.
struct ICCProfile: Sendable, Hashable {
    /// What a picture's samples are.
    enum Components {
        case gray
        case rgb
        case cmyk
    }

    /// Larger ones are not applied: those in use are under 3 MiB.
    static let largestByteCount = 4 << 20

    let bytes: [UInt8]

    /// `nil` for bytes that are no profile, or not one of pictures with these components. A gray picture may have a
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
