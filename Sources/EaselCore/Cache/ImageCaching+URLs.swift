public import EaselFoundation

/// Operations on everything that is cached for a URL.
///
/// They find the entries by the default key of the URL. If a request's `cache.key` or the manager's key filter replaces
/// that key, call `removeAll(of:)` with the key from `ImageManager.cacheKey(for:)`, and set tags and pins in the
/// request, by `cache.tags` and `cache.isPinned`.
extension ImageCaching {
    /// Removes everything that is cached for a URL in memory and on disk: its original file, all sizes and transforms
    /// for all users, decoded images, the partial download, the pin and the tags. The time does not depend on the
    /// number of other entries.
    ///
    /// - Throws: `ImageError.unwritable` for a file that cannot be removed.
    public func removeAll(of url: URL) async throws(ImageError) { try await removeAll(of: ImageRequest(url).urlKey) }

    /// Removes everything that is cached for the URL of a key.
    ///
    /// - Throws: `ImageError.unwritable` for a file that cannot be removed.
    public func removeAll(of key: CacheKey) async throws(ImageError) {
        if let extended { return try await extended.removeURL(of: key) }
        try await remove(key.urlKey, from: .all)
        try await remove(key, from: .all)
    }

    /// Removes everything that is cached for the URLs loaded with a tag (`ImageRequest.Cache.tags`). A load in progress
    /// can store its image again: cancel it first.
    ///
    /// - Throws: `ImageError.unwritable` for a file that cannot be removed.
    public func removeAll(tagged tag: String) async throws(ImageError) {
        for source in try await extended?.urls(with: .tag(tag)) ?? [] {
            try await removeAll(of: source.key)
            try await extended?.remove(.tag(tag), source)
        }
    }

    /// Returns the URLs that were loaded with a tag, without users and passwords.
    ///
    /// - Throws: `ImageError.unreadable`.
    public func urls(tagged tag: String) async throws(ImageError) -> [URL] {
        try await extended?.urls(with: .tag(tag)).map(\.url) ?? []
    }

    /// Pins a URL: its original file and the images that are stored encoded are exempt from limits and expiry, in this
    /// process and later ones. A file that is not cached yet is pinned when it is stored.
    ///
    /// - Throws: `ImageError.unwritable`, also if `DiskCache.Configuration.maximumPinnedBytes` would be exceeded.
    public func pin(_ url: URL) async throws(ImageError) {
        try await extended?.set(.pin, CachedURL(ImageRequest(url)))
    }

    /// Removes the pin of a URL. Limits and expiry apply to its files again.
    ///
    /// - Throws: `ImageError.unwritable`.
    public func unpin(_ url: URL) async throws(ImageError) {
        try await extended?.remove(.pin, CachedURL(ImageRequest(url)))
    }

    /// Returns the pinned URLs in the order in which they were pinned.
    ///
    /// - Throws: `ImageError.unreadable`.
    public func pinnedURLs() async throws(ImageError) -> [URL] {
        try await extended?.urls(with: .pin).map(\.url) ?? []
    }

    /// Returns a lease of the original file of a URL, so that another program can share, print or play it.
    ///
    /// - Throws: `ImageError.notCached`; `.unsupported` if the cache is encrypted; `.unreadable`; `.unwritable`.
    public func file(for url: URL) async throws(ImageError) -> FileLease {
        guard let lease = try await extended?.lease(ImageRequest(url).originalKey) else { throw .notCached }
        return lease
    }
}
