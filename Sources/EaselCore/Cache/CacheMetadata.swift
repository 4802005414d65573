public import EaselFoundation

/// What is kept beside the bytes of an entry, and replaced with them or alone.
public struct CacheMetadata: Sendable, Hashable {
    /// When the bytes were stored: set by the cache; `nil` for bytes that it did not store itself.
    public internal(set) var created: Date?
    /// Named values: of a downloaded file its validators and the headers of its answer.
    public var fields: [String: String]
    /// Bytes of the user's own (X082); never looked into.
    public var extended: Data?

    /// Nothing but what is given.
    public init(fields: [String: String] = [:], extended: Data? = nil) {
        self.fields = fields
        self.extended = extended
    }
}

/// An entry as it is on disk.
public struct CachedFile: Sendable, Hashable {
    /// The bytes that were stored.
    public var data: Data
    /// What was stored with them.
    public var metadata: CacheMetadata

    /// Bytes with what belongs to them.
    public init(data: Data, metadata: CacheMetadata = CacheMetadata()) {
        self.data = data
        self.metadata = metadata
    }
}

/// A decoded picture as it is on disk.
public struct CachedPicture: Sendable {
    /// The picture.
    public var image: DecodedImage
    /// What is kept beside it.
    public var metadata: CacheMetadata

    /// A picture with what belongs to it.
    public init(image: DecodedImage, metadata: CacheMetadata = CacheMetadata()) {
        self.image = image
        self.metadata = metadata
    }
}
