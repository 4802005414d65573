/// What is known of the file that a picture is made from, as far as it matters for keeping the picture.
struct Provenance: Sendable {
    /// The answer that brought the file.
    var response: StoredResponse?
    /// `nil` for a file whose content nobody has looked at.
    var version: FileVersion?
    /// When the file was there, by the clock of `FileLedger`.
    var stamp: UInt64 = 0
    /// Whether the request's policy lets it be kept (RFC 9111 3).
    var mayBeKept = true

    /// A file that was loaded just now, or that nothing is known of.
    init(response: StoredResponse? = nil) {
        self.response = response
    }

    /// A file that was kept.
    init(_ metadata: CacheMetadata, stamp: UInt64) {
        response = StoredResponse(metadata: metadata.fields)
        version = FileVersion(metadata: metadata.fields)
        self.stamp = stamp
    }

    /// What is kept beside the file, and beside pictures made from it.
    var metadata: CacheMetadata {
        CacheMetadata(fields: (response?.metadata ?? [:]).merging(version?.metadata ?? [:]) { $1 })
    }
}
