import EaselFoundation

/// The name of a cache entry. It is hashed once: memory uses the digest, disk a file name made from it.
public struct CacheKey: Sendable, Hashable {
    private let identity: KeyIdentity
    private let storedExtension: Uncompared<String>

    /// The text that was hashed.
    public var text: String { identity.text }
    /// Identifies the text in memory and in the names of files.
    var digest: Digest { identity.digest }
    /// Without a dot; empty for none.
    var fileExtension: String { storedExtension.value }

    /// Creates a key for `text`, with its extension if it is a URL or path.
    public init(_ text: String) {
        self.init(text, fileExtension: Self.pathExtension(of: text))
    }

    /// Creates a key for `text` whose file has this extension, without characters that are invalid in file names.
    package init(_ text: String, fileExtension: String) {
        identity = KeyIdentity(digest: Digest(of: text), text: text)
        storedExtension = Uncompared(Self.sanitised(fileExtension))
    }

    /// The path of the file in the cache's folder: 32 hexadecimal digits, a dot and the extension. The file of a
    /// variant is in a folder of the first two digits, and its name begins with those of the URL's file:
    /// `9e/9e107d...-d131dd02c5e6eec4.png`.
    public var fileName: String { fileExtension.isEmpty ? bareFileName : bareFileName + "." + fileExtension }

    /// `fileName` without extension, as in older layouts.
    var bareFileName: String {
        guard let urlEnd else { return digest.text }
        let url = Digest(of: String(text[..<urlEnd])).text
        return "\(url.prefix(2))/\(url)-\(digest.text.prefix(16))"
    }

    /// The key without variant and user: all keys of one URL share it.
    var urlKey: CacheKey {
        urlEnd.map { CacheKey(String(text[..<$0]), fileExtension: fileExtension) } ?? self
    }

    /// The digest of `urlKey`.
    var urlDigest: Digest { urlEnd.map { Digest(of: String(text[..<$0])) } ?? digest }

    /// The end of the URL in the key of a variant or of a user's file (`ImageRequest.key`); `nil` in all others.
    private var urlEnd: String.Index? {
        var rest = text.utf8[...]
        while let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            rest = rest[text.utf8.index(after: hash)...]
            if rest.first == UInt8(ascii: "-") || rest.starts(with: Self.identity.utf8) { return hash }
        }
        return nil
    }

    /// Begins the part of a key that identifies the user, after a `#`.
    static let identity = "Identity("

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

/// The part of a key that distinguishes it from others. The digests are compared before the texts.
private struct KeyIdentity: Sendable, Hashable {
    let digest: Digest
    let text: String

    /// Hashes the digest, which is already evenly distributed.
    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// The MD5 digest of the text of a key.
///
/// Memory caches compare only digests: among a billion texts, the chance that any two share a digest is under 1 in
/// 10^20. It is possible to construct two texts that collide, but not one that collides with a given text.
struct Digest: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    init(of text: String) {
        (high, low) = MD5.digest(text)
    }

    /// 32 hexadecimal digits.
    var text: String { Self.hexadecimal(high) + Self.hexadecimal(low) }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Hashes half of the digest, which is already evenly distributed.
    func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
