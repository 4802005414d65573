public import EaselCore
public import EaselFoundation

/// Reading and storing images by key, without a request, as in SDImageCache.
extension ImageCache {
    /// The result of a query.
    public struct QueryResult: Sendable {
        /// The image.
        public var image: DecodedImage
        /// The file that it was decoded from, if the query read it.
        public var file: CachedFile?
        /// The level that has the image: memory or disk.
        public var level: CacheLevels
    }

    /// Returns the image for `key` from memory, or else from disk and then stores it in memory too.
    ///
    /// Files are read on Easel's file threads and decoded on its pixel threads. Cancelling the task ends the query at
    /// its next step, with `ImageError.cancelled`.
    ///
    /// - Parameters:
    ///   - key: The key of the image.
    ///   - levels: The levels to search.
    ///   - needsFile: Whether the file is read too if the image is in memory.
    ///   - promotes: Whether an image from disk is stored in memory.
    ///   - coders: The decoders.
    ///   - options: The options to decode with. `key` must identify an image decoded with these options, as
    ///     `ImageRequest.key` does.
    /// - Returns: The image, or `nil` if no level has it or its file is damaged, in which case the file is removed.
    /// - Throws: `ImageError.unreadable`, `.unsupported` if no coder reads the file, `.tooLarge` beyond the options'
    ///   limits, `.cancelled`.
    public func query(
        _ key: CacheKey, from levels: CacheLevels = .all, needsFile: Bool = false, promotes: Bool = true,
        decodingWith coders: CoderRegistry, _ options: DecodeOptions = DecodeOptions()
    ) async throws(ImageError) -> QueryResult? {
        if levels.contains(.memory), let image = image(for: key) {
            let file = needsFile && levels.contains(.disk) ? try await file(for: key) : nil
            return QueryResult(image: image, file: file, level: .memory)
        }
        guard levels.contains(.disk) else { return nil }
        if Task.isCancelled { throw .cancelled }
        if !needsFile, let decoded = await decodedImage(for: key) {
            if promotes { store(decoded.image, for: key) }
            return QueryResult(image: decoded.image, level: .disk)
        }
        guard let file = try await file(for: key) else { return nil }
        if Task.isCancelled { throw .cancelled }
        // Another query may have stored it in the meantime.
        if levels.contains(.memory), let image = image(for: key) {
            return QueryResult(image: image, file: file, level: .memory)
        }
        do throws(ImageError) {
            let image = try await WorkerPool.pixels.run { () throws(ImageError) in
                try coders.image(in: file.data, options, [])
            }
            if promotes, !image.metadata.isPartial { store(image, for: key) }
            return QueryResult(image: image, file: file, level: .disk)
        } catch {
            guard error.code == .badData else { throw error }
            try await remove(key, from: .disk)
            return nil
        }
    }

    /// Stores an image in memory before the call suspends, and on disk as `file`. If `file` is `nil`, the image is
    /// encoded on Easel's pixel threads.
    ///
    /// An image that cannot be encoded is not written, and no error is thrown.
    ///
    /// - Throws: `ImageError.unwritable`.
    public func store(
        _ image: DecodedImage, file: Data? = nil, metadata: CacheMetadata = CacheMetadata(), for key: CacheKey,
        in levels: CacheLevels = .all, encodingWith coders: CoderRegistry,
        _ options: EncodeOptions = EncodeOptions()
    ) async throws(ImageError) {
        if levels.contains(.memory) { store(image, for: key) }
        guard levels.contains(.disk) else { return }
        if let file { return try await store(file, metadata: metadata, for: key) }
        guard let encoder = coders.encoder(toKeep: image) else { return }
        let encoded: Data? = try? await WorkerPool.pixels.run { () throws(ImageError) in
            try encoder.encode(image, options)
        }
        if let encoded { try await store(encoded, metadata: metadata, for: key) }
    }
}
