public import EaselFoundation

/// A cache of images and their files.
///
/// The memory calls are synchronous and must not block, so that an image in memory is shown in the same turn. Every call ends.
public protocol ImageCaching: Sendable {
    /// The decoded image in memory, or `nil`. Must not block.
    func image(for key: CacheKey) -> DecodedImage?

    /// Keeps a decoded image in memory. Must not block.
    func store(_ image: DecodedImage, for key: CacheKey)

    /// An image in memory of another size that serves as well, or `nil`. Called if there is none of the exact size. Must not block.
    /// By default there is none.
    ///
    /// - Parameter family: `ImageRequest.familyKey`, which the image was stored with.
    func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage?

    /// All sizes of an image in memory, the largest first. Must not block. By default there are none.
    func images(inFamily family: CacheKey) -> [DecodedImage]

    /// Keeps a decoded image in memory as one of the sizes of a family. Must not block. By default the family is ignored.
    func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey)

    /// The file on disk with its metadata, or `nil`.
    ///
    /// - Throws: `ImageError.unreadable` for a file that is there but cannot be read.
    func file(for key: CacheKey) async throws(ImageError) -> CachedFile?

    /// The metadata of a file on disk, or `nil` if there is none. By default the file is read too.
    ///
    /// - Throws: `ImageError.unreadable`.
    func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata?

    /// Keeps a file on disk, and replaces one that is there.
    ///
    /// - Throws: `ImageError.unwritable`.
    func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError)

    /// Replaces the metadata of a file, and leaves the file. Does nothing if there is none.
    ///
    /// - Throws: `ImageError.unwritable`.
    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError)

    /// The decoded image on disk, or `nil`. By default there is none.
    func decodedImage(for key: CacheKey) async -> CachedImage?

    /// Keeps a decoded image on disk if it is small enough, so that showing it again costs no decode. By default it is not kept.
    ///
    /// - Returns: whether it is kept.
    /// - Throws: `ImageError.unwritable`.
    func storeDecoded(_ image: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool

    /// Takes a decoded image to keep it on disk later, when loads need the processor and the disk less. Must not block. By default it is
    /// not taken, and `storeDecoded` is called at once.
    ///
    /// - Parameter priority: the priority of the image's load: with `.low` nothing waited for it.
    /// - Returns: whether it will be kept.
    func storeDecodedWhenIdle(_ image: CachedImage, for key: CacheKey, priority: LoadPriority) -> Bool

    /// A folder for partial downloads, so that they can be resumed; `nil`, the default, for none. It is empty after `removeAll`.
    var partialFolder: String? { get }

    /// The statistics of the memory, for `ManagerStatistics`. By default there are none.
    var memoryStatistics: MemoryCacheStatistics? { get }

    /// The levels, among `levels`, that hold something for `key`.
    func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels

    /// Removes everything that is kept for `key`.
    ///
    /// - Throws: `ImageError.unwritable` for a file that cannot be removed.
    func remove(_ key: CacheKey, from levels: CacheLevels) async throws(ImageError)

    /// Removes everything.
    ///
    /// - Throws: `ImageError.unwritable` for a file that cannot be removed.
    func removeAll(from levels: CacheLevels) async throws(ImageError)
}

extension ImageCaching {
    /// The bytes of the file on disk, or `nil`.
    public func data(for key: CacheKey) async throws(ImageError) -> Data? {
        try await file(for: key)?.data
    }

    /// `nil`.
    public var partialFolder: String? { nil }

    /// `nil`.
    public var memoryStatistics: MemoryCacheStatistics? { nil }

    /// `nil`.
    public func decodedImage(for key: CacheKey) async -> CachedImage? { nil }

    /// Keeps nothing.
    public func storeDecoded(_ image: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool { false }

    /// Takes nothing.
    public func storeDecodedWhenIdle(_ image: CachedImage, for key: CacheKey, priority: LoadPriority) -> Bool {
        false
    }

    /// `nil`.
    public func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage? {
        nil
    }

    /// No images.
    public func images(inFamily family: CacheKey) -> [DecodedImage] { [] }

    /// Keeps the image under its key alone.
    public func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey) {
        store(image, for: key)
    }

    /// The metadata of the file, which is read.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try await file(for: key)?.metadata
    }

    /// Keeps a file on disk without metadata.
    public func store(_ data: Data, for key: CacheKey) async throws(ImageError) {
        try await store(data, metadata: CacheMetadata(), for: key)
    }
}

/// Memory, disk, both or neither.
public struct CacheLevels: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// A set of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Decoded images in memory.
    public static let memory = CacheLevels(rawValue: 1)
    /// Files on disk.
    public static let disk = CacheLevels(rawValue: 2)
    /// Both.
    public static let all: CacheLevels = [.memory, .disk]
    /// Neither.
    public static let none: CacheLevels = []
}

/// What is kept beside the bytes of an entry, and replaced with them or alone.
public struct CacheMetadata: Sendable, Hashable {
    /// When the bytes were stored: set by the cache; `nil` for bytes that another program put there.
    public internal(set) var created: Date?
    /// Named values: for a downloaded file its validators and the headers of its response.
    public var fields: [String: String]
    /// Bytes of the application, which Easel does not use.
    public var extended: Data?

    /// Metadata with these values.
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

    /// Bytes with their metadata.
    public init(data: Data, metadata: CacheMetadata = CacheMetadata()) {
        self.data = data
        self.metadata = metadata
    }
}

/// A decoded image in a cache.
public struct CachedImage: Sendable {
    /// The image.
    public var image: DecodedImage
    /// The metadata that was stored with it.
    public var metadata: CacheMetadata

    /// An image with its metadata.
    public init(image: DecodedImage, metadata: CacheMetadata = CacheMetadata()) {
        self.image = image
        self.metadata = metadata
    }
}
