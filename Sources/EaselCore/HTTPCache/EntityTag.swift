/// An `ETag` (RFC 9110 8.8.3): the name that a server gives to one version of a file.
struct EntityTag: Sendable, Hashable {
    /// As it is sent, quotes and the mark of a weak one included.
    let text: String
    /// Whether two files with this tag may differ in bytes (8.8.1).
    let isWeak: Bool

    /// `nil` for what is no tag. One without quotes, which some servers send, is taken as a strong one: it can only be
    /// sent back as it came.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return nil
        }
        self.text = text
        isWeak = text.hasPrefix("W/")
    }

    /// Weak comparison (8.8.3.2): what stands for the same picture, though perhaps not byte for byte.
    func weaklyMatches(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Strong comparison (8.8.3.2): the same bytes.
    func stronglyMatches(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && text == other.text }

    private var opaque: Substring { isWeak ? text.dropFirst(2) : text[...] }

    private static let longest = 256
}
