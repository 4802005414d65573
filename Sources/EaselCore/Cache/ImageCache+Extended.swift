import EaselFoundation

extension ImageCache: ExtendedImageCaching {
    /// Returns the smallest image in memory that can be shown at a size. It is the quickest to draw and the sharpest
    /// when scaled down.
    package func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage? {
        memory.value(inGroup: family) { images in
            images.lastIndex { $0.metadata.sampling?.answers(size, precision) ?? false }
        }
    }

    /// Returns all sizes of an image in memory, the largest first. Includes evicted images that are still referenced
    /// elsewhere.
    package func images(inFamily family: CacheKey) -> [DecodedImage] {
        memory.values(inGroup: family)
    }

    /// Stores an image in memory as one of the sizes of a family. An image without `ImageMetadata.sampling`, which
    /// contains the size, is never returned for another size.
    package func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey) {
        guard image.metadata.sampling != nil else { return store(image, for: key) }
        memory.store(image.of(key), cost: image.memoryCost, for: key, group: family)
    }

    package var memoryStatistics: MemoryCacheStatistics? { memory.statistics }

    /// Returns the decoded image on disk, or one that waits to be stored.
    package func decodedImage(for key: CacheKey) async -> CachedImage? {
        if let image = decodedQueue?.image(for: key) { return image }
        return await decoded?.image(for: key)
    }

    package func storeDecoded(_ image: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool {
        cleanup?.start()
        return try await decodedQueue?.storeNow(image, for: key) ?? false
    }

    /// Stores a decoded image on disk when loads no longer need the processor and the disk: 150 ms after the last
    /// image of more than low priority, or after five seconds.
    ///
    /// The queue references the image weakly until then. If it is not referenced elsewhere, it is not stored.
    package func storeDecodedWhenIdle(
        _ image: CachedImage, for key: CacheKey, priority: LoadPriority = .normal
    ) -> Bool {
        cleanup?.start()
        return decodedQueue?.add(image, for: key, priority: priority) ?? false
    }

    // MARK: - All of a URL

    /// Removes everything that is cached for the URL of a key. Memory is cleared before the call suspends.
    package func removeURL(of key: CacheKey) async throws(ImageError) {
        let url = key.urlDigest
        memory.removeAll { $0.urlDigest == url }
        try await decodedQueue?.removeAll(of: key)
        try await disk?.removeAll(of: key)
        if let partialFolder { await PartialFolder(path: partialFolder).removeAll(of: url) }
    }

    package func set(_ mark: CacheMark, _ source: CachedURL) async throws(ImageError) {
        try await disk?.set(mark, source)
    }

    package func remove(_ mark: CacheMark, _ source: CachedURL) async throws(ImageError) {
        try await disk?.remove(mark, source)
    }

    package func urls(with mark: CacheMark) async throws(ImageError) -> [CachedURL] {
        try await disk?.urls(with: mark) ?? []
    }

    package func lease(_ key: CacheKey) async throws(ImageError) -> FileLease? { try await disk?.lease(key) }
}

extension DecodedImage {
    /// Returns a copy with the URL digest of `key`.
    func of(_ key: CacheKey) -> DecodedImage {
        var image = self
        image.urlDigest = key.urlDigest
        return image
    }
}
