public import EaselFoundation

/// The cache alone, as SDImageCache's users know it: images in and out by their keys, without a request.
extension ImageCache {
    /// What a query found.
    public struct Found: Sendable {
        /// The image.
        public var image: DecodedImage
        /// The file that it was decoded from, where disk was asked and has one.
        public var file: CachedFile?
        /// Where the image was: in memory or on disk.
        public var level: CacheLevels
    }

    /// The image for `key`, from memory, else from disk and then kept in memory too.
    ///
    /// It is looked for on Easel's file threads and decoded on its pixel threads. Cancelling the task that waits ends the
    /// query at its next step, with `ImageError.cancelled`.
    ///
    /// - Parameters:
    ///   - levels: where to look.
    ///   - needsFile: whether the file is wanted too, where the image is in memory.
    ///   - promotes: whether an image from disk is kept in memory.
    ///   - coders: who decode it.
    ///   - options: how. The key has to be that of an image decoded so: `ImageRequest.key` makes such keys.
    /// - Returns: `nil` where no level has it, or what disk has is damaged and was removed.
    /// - Throws: `ImageError.unreadable`, `.unsupported` where no coder reads the file, `.tooLarge` beyond the options'
    ///   limits, `.cancelled`.
    public func query(
        _ key: CacheKey, from levels: CacheLevels = .all, needsFile: Bool = false, promotes: Bool = true,
        decodingWith coders: CoderRegistry, _ options: DecodeOptions = DecodeOptions()
    ) async throws(ImageError) -> Found? {
        if levels.contains(.memory), let image = image(for: key) {
            let file = needsFile && levels.contains(.disk) ? try await file(for: key) : nil
            return Found(image: image, file: file, level: .memory)
        }
        guard levels.contains(.disk) else { return nil }
        if Task.isCancelled { throw .cancelled }
        if !needsFile, let decoded = await decodedImage(for: key) {
            return promoted(decoded.image, nil, key, promotes)
        }
        guard let file = try await file(for: key) else { return nil }
        if Task.isCancelled { throw .cancelled }
        // Another query may have put it there while this one read.
        if levels.contains(.memory), let image = image(for: key) {
            return Found(image: image, file: file, level: .memory)
        }
        do throws(ImageError) {
            let image = try await WorkerPool.pixels.run { () throws(ImageError) in
                try coders.image(in: file.data, options, [])
            }
            return promoted(image, file, key, promotes && !image.metadata.isPartial)
        } catch {
            guard case .badData = error else { throw error }
            try await remove(key, from: .disk)
            return nil
        }
    }

    private func promoted(_ image: DecodedImage, _ file: CachedFile?, _ key: CacheKey, _ promotes: Bool) -> Found {
        if promotes { store(image, for: key) }
        return Found(image: image, file: file, level: .disk)
    }

    /// Keeps an image: in memory before the call suspends, and on disk as `file` or, where there is none, encoded on
    /// Easel's pixel threads.
    ///
    /// An image that cannot be encoded is not written, and that is no error.
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
