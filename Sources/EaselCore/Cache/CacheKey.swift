import EaselFoundation

/// The name of a cached thing, hashed once: memory compares two words, disk makes a file name of them.
public struct CacheKey: Sendable, Hashable {
    /// What was hashed.
    public let text: String
    /// The extension that the file gets, without a dot; empty for none.
    public let fileExtension: String
    /// What stands for the text in memory and in the names of files.
    let digest: Digest

    /// A key for `text`, with the extension of the URL or path that the text is (X100, X101).
    public init(_ text: String) {
        self.init(text, fileExtension: Self.pathExtension(of: text))
    }

    /// A key for `text` whose file has this extension; one that a file name cannot hold is dropped (X100).
    public init(_ text: String, fileExtension: String) {
        digest = Digest(of: text)
        self.text = text
        self.fileExtension = Self.sanitised(fileExtension)
    }

    /// The name of the file: 32 hexadecimal digits, a dot and the extension (S121).
    public var fileName: String { fileName(fileExtension: fileExtension) }

    /// The name without extension, as older layouts have it (S123).
    public var bareFileName: String { fileName(fileExtension: "") }

    /// Written digit by digit: this is a good part of what asking a folder for a name costs.
    private func fileName(fileExtension: String) -> String {
        let length = fileExtension.isEmpty ? 32 : 33 + fileExtension.utf8.count
        return String(unsafeUninitializedCapacity: length) { name in
            for place in 0..<16 {
                let shift = UInt64(60 - 4 * place)
                name.initializeElement(at: place, to: Self.digit(digest.high >> shift))
                name.initializeElement(at: place + 16, to: Self.digit(digest.low >> shift))
            }
            guard length > 32 else { return 32 }
            name.initializeElement(at: 32, to: UInt8(ascii: "."))
            return name[33...].initialize(fromContentsOf: fileExtension.utf8)
        }
    }

    /// Equal texts are equal keys; the digest decides first.
    public static func == (first: CacheKey, second: CacheKey) -> Bool {
        first.digest == second.digest && first.text == second.text
    }

    /// Hashes the digest, which is spread evenly already.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// The last four bits in hexadecimal.
    private static func digit(_ word: UInt64) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: word & 15)
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    private static func pathExtension(of text: String) -> String {
        if let url = URL(string: text) { return url.pathExtension }
        guard let dot = text.lastIndex(of: ".") else { return "" }
        return String(text[text.index(after: dot)...])
    }

    private static let longestExtension = 255 - 32 - 1

    private static func sanitised(_ text: String) -> String {
        // Almost all are a few letters.
        let isPlain = text.utf8.count <= longestExtension && !text.utf8.contains { $0 == 0 || $0 == 0x3A || $0 == 0x2F }
        if isPlain { return text }
        let allowed = text.unicodeScalars.filter { $0 != "\0" && $0 != ":" && $0 != "/" }
        let result = String(String.UnicodeScalarView(allowed))
        return result.utf8.count > longestExtension ? "" : result
    }
}

extension CacheKey: ExpressibleByStringLiteral {
    /// A key for a literal text.
    public init(stringLiteral text: String) { self.init(text) }
}

/// 128 bits that stand for the text of a key.
///
/// Caches in memory compare digests alone and keep no text: among a billion texts, the chance that any two share a digest
/// is under 1 in 10^20. MD5 does not resist an author who writes two texts to collide, but then either text may stand for
/// any image already. A text that collides with a given one cannot be found. File names rest on the same digest.
struct Digest: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The digest of a text, in UTF-8.
    init(of text: String) {
        (high, low) = MD5.digest(text)
    }

    /// Hashes half of the digest, which is spread evenly already.
    func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
