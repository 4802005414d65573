/// What a chain is asked.
extension ImageCacheChain {
    /// The picture in memory, of the highest that has it: asking one after the other takes no time.
    public func image(for key: CacheKey) -> DecodedImage? {
        caches(for: policies.query).lazy.compactMap { $0.image(for: key) }.first
    }

    /// A picture of another size in memory that does as well, of the highest that has one.
    public func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage? {
        caches(for: policies.query).lazy.compactMap { $0.image(inFamily: family, for: size, precision) }.first
    }

    /// Every size in memory of those that queries reach, the largest first.
    public func images(inFamily family: CacheKey) -> [DecodedImage] {
        caches(for: policies.query).flatMap { $0.images(inFamily: family) }
            .sorted { $0.size.area ?? 0 > $1.size.area ?? 0 }
    }

    /// Keeps a picture in memory.
    public func store(_ image: DecodedImage, for key: CacheKey) {
        for cache in caches(for: policies.store) { cache.store(image, for: key) }
    }

    /// Keeps a picture in memory as one of the sizes of a family.
    public func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey) {
        for cache in caches(for: policies.store) { cache.store(image, for: key, family: family) }
    }

    /// The file on disk (X112).
    ///
    /// - Throws: why the highest that failed could not read it, where no other has it. `ImageError.cancelled`.
    public func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        try await first { cache throws(ImageError) in try await cache.file(for: key) }
    }

    /// What is kept beside the file of the highest that has one, also where files are asked for at the same time.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try await firstInOrder { cache throws(ImageError) in try await cache.metadata(for: key) }
    }

    /// The decoded picture on disk.
    public func decodedPicture(for key: CacheKey) async -> CachedPicture? {
        let found = await Self.result { () throws(ImageError) in
            try await first { cache throws(ImageError) in await cache.decodedPicture(for: key) }
        }
        return try? found.get()
    }

    /// The levels of the first that has something (`serial`), or of all together (`concurrent`).
    public func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        let caches = caches(for: policies.contains)
        if policies.contains == .concurrent {
            let found = await Self.concurrently(caches) { cache throws(ImageError) in
                await cache.contains(key, in: levels)
            }
            return found.reduce(into: .none) { $0.formUnion((try? $1.get()) ?? .none) }
        }
        for cache in caches {
            let found = await cache.contains(key, in: levels)
            if !found.isEmpty { return found }
        }
        return .none
    }

    /// The first answer that `body` gives, as the policy for queries says.
    private func first<Value: Sendable>(
        _ body: @escaping @Sendable (any ImageCaching) async throws(ImageError) -> Value?
    ) async throws(ImageError) -> Value? {
        guard policies.query == .concurrent else { return try await firstInOrder(body) }
        return try await FirstAnswer.race(caches, body)
    }

    private func firstInOrder<Value: Sendable>(
        _ body: @Sendable (any ImageCaching) async throws(ImageError) -> Value?
    ) async throws(ImageError) -> Value? {
        var failure: ImageError?
        for cache in caches(for: policies.query) {
            if Task.isCancelled { throw .cancelled }
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
}
