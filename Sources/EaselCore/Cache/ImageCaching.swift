public import EaselFoundation

/// A cache of images and their files.
///
/// The memory calls are synchronous and must not block, so that an image in memory is shown at once.
public protocol ImageCaching: Sendable {
    /// Returns the decoded image in memory, or `nil`. Must not block.
    func image(for key: CacheKey) -> DecodedImage?

    /// Stores a decoded image in memory. Must not block.
    func store(_ image: DecodedImage, for key: CacheKey)

    /// Returns the file on disk with its metadata, or `nil`.
    ///
    /// - Throws: `ImageError.unreadable` for a file that exists but cannot be read.
    func file(for key: CacheKey) async throws(ImageError) -> CachedFile?

    /// Returns the metadata of a file on disk, or `nil`. The default implementation reads the whole file.
    ///
    /// - Throws: `ImageError.unreadable`.
    func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata?

    /// Stores a file on disk, and replaces an existing one.
    ///
    /// - Throws: `ImageError.unwritable`.
    func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError)

    /// Replaces the metadata of a file. The bytes stay the same. Does nothing if there is no file.
    ///
    /// - Throws: `ImageError.unwritable`.
    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError)

    /// Returns the levels, among `levels`, that have an entry for `key`.
    func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels

    /// Removes everything that is stored for `key`.
    ///
    /// - Throws: `ImageError.unwritable` for a file that cannot be removed.
    func remove(_ key: CacheKey, from levels: CacheLevels) async throws(ImageError)

    /// Removes everything.
    ///
    /// - Throws: `ImageError.unwritable` for a file that cannot be removed.
    func removeAll(from levels: CacheLevels) async throws(ImageError)
}

extension ImageCaching {
    /// Returns the metadata of a file on disk, or `nil`. Reads the whole file.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try await file(for: key)?.metadata
    }

    /// Returns the bytes of the file on disk, or `nil`.
    package func data(for key: CacheKey) async throws(ImageError) -> Data? {
        try await file(for: key)?.data
    }

    /// Stores a file on disk without metadata.
    package func store(_ data: Data, for key: CacheKey) async throws(ImageError) {
        try await store(data, metadata: CacheMetadata(), for: key)
    }

    /// This cache, if it supports the operations of Easel's caches, else `nil`.
    package var extended: (any ExtendedImageCaching)? { self as? any ExtendedImageCaching }

    /// Stores an image in memory as one of the sizes of a family, if the cache has families.
    package func storeInMemory(_ image: DecodedImage, for key: CacheKey, family: CacheKey) {
        if let extended { extended.store(image, for: key, family: family) } else { store(image, for: key) }
    }
}

/// A cache that also finds images of another size, stores decoded images on disk, and has a folder for partial
/// downloads.
package protocol ExtendedImageCaching: ImageCaching {
    /// Returns an image in memory that was stored for another size and can be used for this one, or `nil`. Called if
    /// there is none of the exact size.
    ///
    /// - Parameter family: The `ImageRequest.familyKey` with which the image was stored.
    func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage?

    /// Returns all sizes of an image in memory, the largest first.
    func images(inFamily family: CacheKey) -> [DecodedImage]

    /// Stores a decoded image in memory as one of the sizes of a family.
    func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey)

    /// Returns the decoded image on disk, or `nil`.
    func decodedImage(for key: CacheKey) async -> CachedImage?

    /// Stores a decoded image on disk if it is small enough, so that it can be shown again without decoding. Returns
    /// whether it was stored.
    func storeDecoded(_ image: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool

    /// Stores a decoded image on disk later, when loads need the processor and the disk less. Must not block.
    ///
    /// - Parameter priority: The priority of the image's load. Images of `.low` priority do not delay the stores.
    /// - Returns: Whether the image is small enough to be stored.
    func storeDecodedWhenIdle(_ image: CachedImage, for key: CacheKey, priority: LoadPriority) -> Bool

    /// A folder for partial downloads, so that they can be resumed. It is empty after `removeAll`.
    var partialFolder: String? { get }

    /// Removes everything that is cached for the URL of a key: the original of every user, all variants, decoded
    /// images, the partial download, pin and tags.
    func removeURL(of key: CacheKey) async throws(ImageError)

    /// Sets a pin or tag of a URL. Does nothing without a disk.
    func set(_ mark: CacheMark, _ source: CachedURL) async throws(ImageError)

    /// Removes a pin or tag of a URL.
    func remove(_ mark: CacheMark, _ source: CachedURL) async throws(ImageError)

    /// Returns the URLs with a pin or tag.
    func urls(with mark: CacheMark) async throws(ImageError) -> [CachedURL]

    /// Returns a lease of the file on disk, or `nil`.
    func lease(_ key: CacheKey) async throws(ImageError) -> FileLease?

    /// The statistics of the memory, for `ManagerStatistics`.
    var memoryStatistics: MemoryCacheStatistics? { get }
}

/// The levels of a cache: memory, disk, both or neither.
public struct CacheLevels: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// Creates a set of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Decoded images in memory.
    public static let memory = CacheLevels(rawValue: 1)
    /// Files on disk.
    public static let disk = CacheLevels(rawValue: 2)
    /// Both.
    public static let all: CacheLevels = [.memory, .disk]
}

/// The metadata of a cache entry, which is replaced with its bytes or separately.
public struct CacheMetadata: Sendable, Hashable {
    /// When the bytes were stored. Set by the cache; `nil` for a file that another program stored.
    public internal(set) var created: Date?
    /// Named values. For a downloaded file: its validators and the headers of its response.
    public var fields: [String: String]
    /// The name of the field that contains the URL of a downloaded file.
    static let url = "url"
    /// The name of the field that contains the alternative a file was loaded from.
    static let alternative = "alternative"
    /// Bytes that the application stores here. Easel does not use them.
    public var extended: Data?

    /// Creates metadata with these values.
    public init(fields: [String: String] = [:], extended: Data? = nil) {
        self.fields = fields
        self.extended = extended
    }
}

/// A file in a cache.
public struct CachedFile: Sendable, Hashable {
    /// The bytes that were stored.
    public var data: Data
    /// The metadata that was stored with them.
    public var metadata: CacheMetadata

    /// Creates a file.
    public init(data: Data, metadata: CacheMetadata = CacheMetadata()) {
        self.data = data
        self.metadata = metadata
    }
}

/// A decoded image in a cache.
package struct CachedImage: Sendable {
    package var image: DecodedImage
    package var metadata = CacheMetadata()
}
