public import EaselFoundation

/// Where pictures and their files are kept between loads.
///
/// Memory is asked synchronously, so that a picture that is there is shown in the same turn (P018). Every call ends (R028).
public protocol ImageCaching: Sendable {
    /// The decoded picture in memory, or `nil`. Must not block.
    func image(for key: CacheKey) -> DecodedImage?

    /// Keeps a decoded picture in memory. Must not block.
    func store(_ image: DecodedImage, for key: CacheKey)

    /// A picture in memory of another size than was asked for that does as well, or `nil`. Must not block. Asked where there
    /// is none of the very size; unless a cache says otherwise, it has none.
    ///
    /// - Parameter family: `ImageRequest.familyKey`, which the picture was stored with.
    func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage?

    /// Every size of a picture that is in memory, the largest first. Must not block. Unless a cache says otherwise, it has
    /// none.
    func images(inFamily family: CacheKey) -> [DecodedImage]

    /// Keeps a decoded picture in memory as one of the sizes of a family. Must not block. Unless a cache says otherwise, it
    /// ignores the family.
    func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey)

    /// The file on disk with what is kept beside it, or `nil`.
    ///
    /// - Throws: `ImageError.unreadable` for a file that is there but cannot be read.
    func file(for key: CacheKey) async throws(ImageError) -> CachedFile?

    /// What is kept beside a file on disk, or `nil` where there is none. By default the file is read with it.
    ///
    /// - Throws: `ImageError.unreadable`.
    func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata?

    /// Keeps a file on disk, in place of one that is there.
    ///
    /// - Throws: `ImageError.unwritable`.
    func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError)

    /// Replaces what is kept beside a file, and leaves the file. Does nothing where there is none.
    ///
    /// - Throws: `ImageError.unwritable`.
    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError)

    /// The decoded picture on disk, or `nil`. Unless a cache says otherwise, it has none.
    func decodedPicture(for key: CacheKey) async -> CachedPicture?

    /// Keeps a decoded picture on disk, where it is small enough to be worth it, so that showing it again costs no decode.
    /// Unless a cache says otherwise, it keeps none.
    ///
    /// - Returns: whether it is kept.
    /// - Throws: `ImageError.unwritable`.
    func storeDecoded(_ picture: CachedPicture, for key: CacheKey) async throws(ImageError) -> Bool

    /// Takes a decoded picture to keep it on disk when a good moment has come: what is being loaded goes before. Must not block.
    /// Unless a cache says otherwise, it takes none, and is asked to `storeDecoded` at once.
    ///
    /// - Parameter priority: how urgent the picture's own load was: at `.low` nobody was waiting for it.
    /// - Returns: whether it will be kept.
    func storeDecodedAtRest(_ picture: CachedPicture, for key: CacheKey, priority: LoadPriority) -> Bool

    /// A folder for what has come of downloads that broke off, so that they go on; `nil` for none. Unless a cache says
    /// otherwise, it has none. It is empty after `removeAll`.
    var partialFolder: String? { get }

    /// What the level in memory has done, for `ManagerStatistics`. Unless a cache says otherwise, nobody knows.
    var memoryStatistics: MemoryCacheStatistics? { get }

    /// The levels, among those asked, that hold something for `key`.
    func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels

    /// Removes what is kept for `key`.
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

    /// None.
    public var partialFolder: String? { nil }

    /// Unknown.
    public var memoryStatistics: MemoryCacheStatistics? { nil }

    /// No picture.
    public func decodedPicture(for key: CacheKey) async -> CachedPicture? { nil }

    /// Keeps nothing.
    public func storeDecoded(_ picture: CachedPicture, for key: CacheKey) async throws(ImageError) -> Bool { false }

    /// Takes none.
    public func storeDecodedAtRest(_ picture: CachedPicture, for key: CacheKey, priority: LoadPriority) -> Bool {
        false
    }

    /// No picture.
    public func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage? {
        nil
    }

    /// No pictures.
    public func images(inFamily family: CacheKey) -> [DecodedImage] { [] }

    /// Keeps it under its key alone.
    public func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey) {
        store(image, for: key)
    }

    /// What is kept beside the file.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try await file(for: key)?.metadata
    }

    /// Keeps a file on disk with nothing beside it.
    public func store(_ data: Data, for key: CacheKey) async throws(ImageError) {
        try await store(data, metadata: CacheMetadata(), for: key)
    }
}
