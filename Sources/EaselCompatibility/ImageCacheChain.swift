public import EaselCore
public import EaselFoundation

/// A cache that combines several others. The first is the highest.
///
/// A lookup tries the caches in order until one has a result. A store changes only the highest cache, a removal changes
/// all. If a cache fails, the others are still called. The first error is then thrown, but not by a lookup that has a
/// result.
public struct ImageCacheChain: ImageCaching {
    let caches: [any ImageCaching]

    /// Creates a chain of these caches, the highest first.
    public init(_ caches: [any ImageCaching]) {
        self.caches = caches
    }

    /// Returns the image in memory of the highest cache that has it.
    public func image(for key: CacheKey) -> DecodedImage? {
        caches.lazy.compactMap { $0.image(for: key) }.first
    }

    /// Stores an image in the memory of the highest cache.
    public func store(_ image: DecodedImage, for key: CacheKey) {
        caches.first?.store(image, for: key)
    }

    /// Returns the file of the highest cache that has it.
    ///
    /// - Throws: The error of the highest cache that failed, if no other has the file; `ImageError.cancelled`.
    public func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        try await first { cache throws(ImageError) in try await cache.file(for: key) }
    }

    /// Returns the metadata of the file of the highest cache that has one.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try await first { cache throws(ImageError) in try await cache.metadata(for: key) }
    }

    /// Stores a file in the highest cache.
    public func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await caches.first?.store(data, metadata: metadata, for: key)
    }

    /// Replaces the metadata of a file in the highest cache that has the file.
    public func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        for cache in caches where try await cache.metadata(for: key) != nil {
            return try await cache.setMetadata(metadata, for: key)
        }
    }

    /// Returns the levels of the highest cache that has an entry for `key`.
    public func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        for cache in caches {
            let found = await cache.contains(key, in: levels)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Removes everything that is stored for `key`, from all caches.
    public func remove(_ key: CacheKey, from levels: CacheLevels) async throws(ImageError) {
        try await forEach { cache throws(ImageError) in try await cache.remove(key, from: levels) }
    }

    /// Removes everything from all caches.
    public func removeAll(from levels: CacheLevels) async throws(ImageError) {
        try await forEach { cache throws(ImageError) in try await cache.removeAll(from: levels) }
    }

    private func first<Value>(
        _ body: (any ImageCaching) async throws(ImageError) -> Value?
    ) async throws(ImageError) -> Value? {
        var failure: ImageError?
        for cache in caches where !Task.isCancelled {
            do throws(ImageError) {
                if let value = try await body(cache) { return value }
            } catch {
                failure = failure ?? error
            }
        }
        if Task.isCancelled { throw .cancelled }
        if let failure { throw failure }
        return nil
    }

    private func forEach(
        _ body: (any ImageCaching) async throws(ImageError) -> Void
    ) async throws(ImageError) {
        var failure: ImageError?
        for cache in caches {
            do throws(ImageError) { try await body(cache) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}

extension ImageCacheChain: ExtendedImageCaching {
    package func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage? {
        caches.lazy.compactMap { $0.extended?.image(inFamily: family, for: size, precision) }.first
    }

    package func images(inFamily family: CacheKey) -> [DecodedImage] {
        caches.flatMap { $0.extended?.images(inFamily: family) ?? [] }
            .sorted { $0.size.area ?? 0 > $1.size.area ?? 0 }
    }

    package func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey) {
        caches.first?.storeInMemory(image, for: key, family: family)
    }

    package func decodedImage(for key: CacheKey) async -> CachedImage? {
        for cache in caches { if let image = await cache.extended?.decodedImage(for: key) { return image } }
        return nil
    }

    package func storeDecoded(_ image: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool {
        try await caches.first?.extended?.storeDecoded(image, for: key) ?? false
    }

    package func storeDecodedWhenIdle(_ image: CachedImage, for key: CacheKey, priority: LoadPriority) -> Bool {
        caches.first?.extended?.storeDecodedWhenIdle(image, for: key, priority: priority) ?? false
    }

    package func removeURL(of key: CacheKey) async throws(ImageError) {
        // `removeAll(of:)` also works with caches that are not Easel's.
        try await forEach { cache throws(ImageError) in try await cache.removeAll(of: key) }
    }

    package func set(_ mark: CacheMark, _ source: CachedURL) async throws(ImageError) {
        try await caches.first?.extended?.set(mark, source)
    }

    package func remove(_ mark: CacheMark, _ source: CachedURL) async throws(ImageError) {
        try await forEach { cache throws(ImageError) in try await cache.extended?.remove(mark, source) }
    }

    package func urls(with mark: CacheMark) async throws(ImageError) -> [CachedURL] {
        var all: [CachedURL] = []
        for cache in caches {
            for source in try await cache.extended?.urls(with: mark) ?? [] where !all.contains(source) {
                all.append(source)
            }
        }
        return all
    }

    package func lease(_ key: CacheKey) async throws(ImageError) -> FileLease? {
        try await first { cache throws(ImageError) in try await cache.extended?.lease(key) }
    }

    package var partialFolder: String? { caches.first?.extended?.partialFolder }
    package var memoryStatistics: MemoryCacheStatistics? { caches.first?.extended?.memoryStatistics }
}
