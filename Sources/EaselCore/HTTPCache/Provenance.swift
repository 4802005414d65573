import EaselFoundation

/// The origin of an image's file, as far as it matters for caching.
struct Provenance: Sendable {
    /// The response that brought the file.
    var response: StoredResponse?
    /// `nil` for a file whose content was not read.
    var version: FileVersion?
    /// The time of the file, by the clock of `FileLedger`.
    var stamp: UInt64 = 0
    /// Whether the request's policy allows caching it (RFC 9111 3).
    var mayBeKept = true

    /// A file that was just loaded, or whose origin is unknown.
    init(response: StoredResponse? = nil) {
        self.response = response
    }

    /// A cached file.
    init(_ metadata: CacheMetadata, stamp: UInt64) {
        response = StoredResponse(metadata: metadata.fields)
        version = FileVersion(metadata: metadata.fields)
        self.stamp = stamp
    }

    /// Stored with the file, and with images made from it.
    var metadata: CacheMetadata {
        CacheMetadata(fields: (response?.metadata ?? [:]).merging(version?.metadata ?? [:]) { $1 })
    }
}

/// One content of a URL: its length and checksum. Not against forgery: the server that could forge one sends the image
/// anyway.
struct FileVersion: Sendable, Hashable {
    private static let field = "file-version"
    private let text: String

    init(of data: Data) {
        text = "\(data.count)-" + String(data.withUnsafeBytes(CRC32C.checksum), radix: 16)
    }

    init?(metadata: [String: String]) {
        guard let text = metadata[Self.field] else { return nil }
        self.text = text
    }

    var metadata: [String: String] { [Self.field: text] }
}
