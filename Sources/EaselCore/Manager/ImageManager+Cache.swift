public import EaselFoundation

/// The cache by hand, with the keys and the rules of loads.
extension ImageManager {
    /// The key of the picture that this request asks for, as the configuration's hooks leave it (S057, X044).
    public func cacheKey(for request: ImageRequest) -> CacheKey {
        processed(request).key
    }

    /// The key of the picture at a URL, and of its file.
    public func cacheKey(for url: URL) -> CacheKey {
        cacheKey(for: ImageRequest(url))
    }

    /// Where a load of this request would find something: its picture in memory or on disk, or on disk the original file,
    /// from which it is made without asking anybody (S055, S056). Whether that is still fresh is not looked at.
    public func contains(_ request: ImageRequest, in levels: CacheLevels = .all) async -> CacheLevels {
        let request = processed(request)
        let cache = pipeline.pictureCache(of: request)
        let asked = levels.intersection(request.cache.query)
        var found = await cache.contains(request.key, in: asked.intersection(.memory))
        if !request.isOriginal {
            found.formUnion(await cache.contains(request.diskKey, in: asked.intersection(.disk)))
        }
        guard levels.contains(.disk), !found.contains(.disk), request.findsFile else { return found }
        return found.union(await pipeline.fileCache(of: request).contains(request.originalKey, in: .disk))
    }

    /// Keeps a picture as what this request gives (S052): in memory before the call suspends, and on disk encoded. A partial
    /// picture is not kept (X055), and one that no encoder can write is not written (X081).
    ///
    /// - Throws: `ImageError.unwritable`.
    public func store(
        _ image: DecodedImage, for request: ImageRequest, in levels: CacheLevels = .all
    ) async throws(ImageError) {
        try await pipeline.keep(image, processed(request), in: levels)
    }

    /// Keeps a file on disk as the original of this request's URL (S052). Pictures of another file that was there are out of
    /// date from then on.
    ///
    /// - Throws: `ImageError.badData` or `.unsupported` for what does not decode: that is never cached. `.unwritable`.
    public func store(_ file: Data, for request: ImageRequest) async throws(ImageError) {
        try await pipeline.keep(file, processed(request))
    }
}
