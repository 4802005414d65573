public import EaselFoundation

/// Direct access to the cache, with the keys and the rules of loads.
extension ImageManager {
    /// Returns the key of the image for a request, as the configuration's hooks change it.
    public func cacheKey(for request: ImageRequest) -> CacheKey { applyConfiguration(to: request).key }

    /// Returns the levels from which this request can be loaded without a server: its image in memory or on disk, or
    /// its original file on disk. The entry may be stale.
    public func contains(_ request: ImageRequest, in levels: CacheLevels = .all) async -> CacheLevels {
        let request = applyConfiguration(to: request)
        let cache = pipeline.imageCache(of: request)
        let queried = levels.intersection(request.cache.query)
        var found = await cache.contains(request.key, in: queried.intersection(.memory))
        if !request.isOriginal {
            found.formUnion(await cache.contains(request.diskKey, in: queried.intersection(.disk)))
        }
        guard levels.contains(.disk), !found.contains(.disk), request.findsFile else { return found }
        return found.union(await pipeline.fileCache(of: request).contains(request.originalKey, in: .disk))
    }

    /// Returns the response that brought the current file of a request or validated it last, the version of the file,
    /// and the time; `nil` for a file that no server sent, or that was loaded long ago.
    package func knownFile(of request: ImageRequest) -> (response: StoredResponse, version: FileVersion?, now: Date)? {
        let key = applyConfiguration(to: request).originalKey
        guard let response = pipeline.known.response(of: key) else { return nil }
        return (response, pipeline.known.version(of: key), pipeline.configuration.clock.date())
    }

    /// Stores an image for a request: in memory before the call suspends, and encoded on disk. Does not store a partial
    /// image, nor write one that no encoder supports.
    ///
    /// - Throws: `ImageError.unwritable`.
    public func store(
        _ image: DecodedImage, for request: ImageRequest, in levels: CacheLevels = .all
    ) async throws(ImageError) {
        try await pipeline.store(image, applyConfiguration(to: request), in: levels)
    }

    /// Stores a file on disk as the original of a request's URL. Images of another file of that URL are out of date
    /// from then on.
    ///
    /// - Throws: `ImageError.badData` or `.unsupported` for a file that does not decode, which is never cached;
    ///   `.unwritable`.
    public func store(_ file: Data, for request: ImageRequest) async throws(ImageError) {
        let request = applyConfiguration(to: request)
        try pipeline.processor.checkIsImage(file, request)
        guard await pipeline.processor.isSound(LoadedData(data: file, source: .disk), request) else {
            throw .badData("The file is damaged: it cannot be decoded completely.")
        }
        _ = try await pipeline.storeAsOriginal(file, request)
    }

    /// Returns the placeholder of a request if it is available at once, as all are except hashes. For views that show a
    /// placeholder before a load begins.
    public func placeholder(for request: ImageRequest) -> DecodedImage? {
        guard case .ready(let image) = placeholderImage(for: applyConfiguration(to: request)) else { return nil }
        return image
    }

    /// Delivers the placeholder as the task's first preview: at once, or after a hash has been decoded. The load does
    /// not wait for it.
    func showPlaceholder(of task: ImageTask) {
        switch placeholderImage(for: task.request) {
        case .ready(let image):
            task.deliver(placeholder: image)
        case .work(let make):
            Task {
                let image: DecodedImage? = try? await WorkerPool.pixels.run(make)
                if let image { task.deliver(placeholder: image) }
            }
        case nil:
            break
        }
    }

    /// Returns the image of a placeholder for a request, or for none.
    package func image(of placeholder: Placeholder, for request: ImageRequest?) -> PlaceholderImage? {
        guard var request else { return PlaceholderImage(placeholder, for: .original) { [] } }
        request.placeholder = placeholder
        return placeholderImage(for: applyConfiguration(to: request))
    }

    private func placeholderImage(for request: ImageRequest) -> PlaceholderImage? {
        guard let placeholder = request.placeholder else { return nil }
        return PlaceholderImage(placeholder, for: request.decodedSize) {
            // The image itself can be in memory too, if the load does not use it. It is better than any other size.
            let cache = pipeline.imageCache(of: request)
            if let image = cache.image(for: request.key) { return [image] }
            return cache.extended?.images(inFamily: request.familyKey) ?? []
        }
    }
}

extension LoadPipeline {
    fileprivate func store(
        _ image: DecodedImage, _ request: ImageRequest, in levels: CacheLevels
    ) async throws(ImageError) {
        guard !image.metadata.isPartial else { return }
        if levels.contains(.memory) { storeInMemory(image, stamp: known.stamp(), request) }
        guard levels.contains(.disk), let file = await file(of: image, request) else { return }
        if request.isOriginal {
            let stamp = try await storeAsOriginal(file, request)
            // The image in memory would count as one of the previous file.
            if levels.contains(.memory) { storeInMemory(image, stamp: stamp, request) }
            return
        }
        var provenance = Provenance()
        provenance.version = await currentVersion(of: request)
        // A decoded file would be found first.
        let cache = imageCache(of: request)
        try await cache.remove(request.diskKey, from: .disk)
        try await cache.store(file, metadata: provenance.metadata, for: request.diskKey)
    }

    /// Returns the file to write for an image. Only an original file has all frames of an animation.
    private func file(of image: DecodedImage, _ request: ImageRequest) async -> Data? {
        guard let animation = image.animation, request.wantsAnimation else {
            return await processor.encode(image, request)
        }
        return request.isOriginal && animation.transforms.isEmpty ? animation.data : nil
    }

    /// Stores a file as the current one of its URL. Returns the stamp of images made from it.
    fileprivate func storeAsOriginal(_ file: Data, _ request: ImageRequest) async throws(ImageError) -> UInt64 {
        var provenance = Provenance()
        provenance.version = FileVersion(of: file)
        try await fileCache(of: request).store(file, metadata: provenance.metadata, for: request.originalKey)
        return known.accept(provenance, for: request.originalKey, isRefresh: true)
    }

    private func currentVersion(of request: ImageRequest) async -> FileVersion? {
        let key = request.originalKey
        if let version = known.version(of: key) { return version }
        let metadata = try? await fileCache(of: request).metadata(for: key)
        return metadata.flatMap { FileVersion(metadata: $0.fields) }
    }
}
