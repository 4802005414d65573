import EaselFoundation

/// The name of a cache entry. It is hashed once: memory uses the digest, disk a file name made from it.
public struct CacheKey: Sendable, Hashable {
    /// The text that was hashed.
    public let text: String
    /// Without a dot; empty for none.
    let fileExtension: String
    /// Identifies the text in memory and in the names of files.
    let digest: Digest

    /// Creates a key for `text`, with its extension if it is a URL or path.
    public init(_ text: String) {
        self.init(text, fileExtension: Self.pathExtension(of: text))
    }

    /// Creates a key for `text` whose file has this extension, without what a file name cannot hold.
    public init(_ text: String, fileExtension: String) {
        digest = Digest(of: text)
        self.text = text
        self.fileExtension = Self.sanitised(fileExtension)
    }

    /// The name of the file: 32 hexadecimal digits, a dot and the extension.
    public var fileName: String { fileExtension.isEmpty ? bareFileName : bareFileName + "." + fileExtension }

    /// The name without extension, as in older layouts.
    var bareFileName: String { Self.hexadecimal(digest.high) + Self.hexadecimal(digest.low) }

    /// Compares the texts, after the digests.
    public static func == (first: CacheKey, second: CacheKey) -> Bool {
        first.digest == second.digest && first.text == second.text
    }

    /// Hashes the digest, which is spread evenly already.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func pathExtension(of text: String) -> String {
        if let url = URL(string: text) { return url.pathExtension }
        guard let dot = text.lastIndex(of: ".") else { return "" }
        return String(text[text.index(after: dot)...])
    }

    private static let longestExtension = 255 - 32 - 1

    private static func sanitised(_ text: String) -> String {
        // Nearly all extensions are a few letters.
        let isPlain = text.utf8.count <= longestExtension && !text.utf8.contains { $0 == 0 || $0 == 0x3A || $0 == 0x2F }
        if isPlain { return text }
        let allowed = text.unicodeScalars.filter { $0 != "\0" && $0 != ":" && $0 != "/" }
        let result = String(String.UnicodeScalarView(allowed))
        return result.utf8.count > longestExtension ? "" : result
    }
}

extension CacheKey: ExpressibleByStringLiteral {
    /// Creates a key for a literal text.
    public init(stringLiteral text: String) { self.init(text) }
}

/// The MD5 digest of the text of a key.
///
/// Memory caches compare only digests: among a billion texts, the chance that any two share a digest is under 1 in 10^20. An
/// author can write two texts that collide, but both are theirs; a text that collides with a given one cannot be found.
struct Digest: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    init(of text: String) {
        (high, low) = MD5.digest(text)
    }

    /// Hashes half of the digest, which is spread evenly already.
    func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
