import EaselFoundation

/// Looking up and storing, in memory and on disk.
extension LoadPipeline {
    /// Returns the cache for the image of a request.
    func imageCache(of request: ImageRequest) -> any ImageCaching {
        request.cache.imageCache?.value ?? configuration.cache
    }

    /// Returns the cache for the original file of a request.
    func fileCache(of request: ImageRequest) -> any ImageCaching {
        request.cache.originalImageCache?.value ?? imageCache(of: request)
    }

    /// Returns whether a load probably needs no server. This determines only which limit the load waits for.
    static func isLocal(_ request: ImageRequest, _ cache: any ImageCaching) async -> Bool {
        guard request.isHTTP else { return true }
        guard !request.options.contains(.fromLoaderOnly) else { return false }
        let images = request.cache.imageCache?.value ?? cache
        if !request.isOriginal, await !images.contains(request.diskKey, in: .disk).isEmpty { return true }
        let files = request.cache.originalImageCache?.value ?? images
        return await !files.contains(request.originalKey, in: .disk).isEmpty
    }

    // MARK: - Looking up

    /// Returns the image in memory if it may be used without a request.
    func imageInMemory(_ request: ImageRequest) -> DecodedImage? {
        guard request.cache.query.contains(.memory), !request.options.contains(.fromLoaderOnly) else { return nil }
        let cache = imageCache(of: request)
        guard
            let image = cache.image(for: request.key)?.answer(to: request)
                ?? cache.extended?.image(inFamily: request.familyKey, for: request.decodedSize, request.precision)?
                .answer(to: request),
            known.isCurrent(image, request), isFresh(request)
        else { return nil }
        return image
    }

    /// Returns the image from memory, where another load may have stored it in the meantime, or from disk under its own
    /// key.
    func lookUp(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedImage? {
        guard !request.options.contains(.fromLoaderOnly), mayUseVariants(request) else { return nil }
        let cache = imageCache(of: request)
        if request.cache.query.contains(.memory),
            let image = cache.image(for: request.key)?.answer(to: request), known.isCurrent(image, request)
        {
            var loaded = LoadedImage(image: image, source: .memory)
            loaded.provenance.stamp = image.stamp
            loaded.provenance.alternative = image.alternative
            return loaded
        }
        guard !request.isOriginal, request.cache.query.contains(.disk) else { return nil }
        if let image = await readDecoded(request) { return image }
        guard let file = await readFile(request.diskKey, in: cache, request),
            await isFromCurrentFile(file.provenance, request)
        else { return nil }
        do throws(ImageError) {
            let image = try await processor.decode(file, request.asStored, context)
            return promote(image, request)
        } catch let error where error.code == .badData {
            observation.warn(.damagedEntry(error))
            await remove(request.diskKey, from: cache)
            return nil
        }
    }

    /// Reads the image from the cache of decoded images.
    private func readDecoded(_ request: ImageRequest) async -> LoadedImage? {
        let started = ContinuousClock.now
        let span = observation.begin(.disk, request)
        let stamp = known.stamp()
        let found = await imageCache(of: request).extended?.decodedImage(for: request.diskKey)
        span.end(found == nil ? .missed : .done)
        guard let found, case let provenance = Provenance(found.metadata, stamp: stamp),
            await isFromCurrentFile(provenance, request)
        else { return nil }
        var image = LoadedImage(image: found.image, source: .disk, provenance: provenance)
        image.timeline[.disk] = .now - started
        return promote(image, request)
    }

    /// Stores an image from disk in memory.
    private func promote(_ image: LoadedImage, _ request: ImageRequest) -> LoadedImage {
        var image = image
        image.image.isFirstFrameOnly = !request.wantsAnimation
        image.image.alternative = image.provenance.alternative
        if request.cache.store.contains(.memory) { storeInMemory(image.image, stamp: image.provenance.stamp, request) }
        return image
    }

    /// Reads the original from disk, unless a newer one is known and about to be stored.
    func readOriginal(_ request: ImageRequest) async -> LoadedData? {
        guard request.findsFile, !request.options.contains(.fromLoaderOnly),
            let file = await readFile(request.originalKey, in: fileCache(of: request), request),
            known.recordCached(file.provenance, for: request.originalKey)
        else { return nil }
        return file
    }

    private func readFile(_ key: CacheKey, in cache: any ImageCaching, _ request: ImageRequest) async -> LoadedData? {
        let started = ContinuousClock.now
        let span = observation.begin(.disk, request)
        // Before reading: if the file is replaced meanwhile, the old one can be the result.
        let stamp = known.stamp()
        do throws(ImageError) {
            let file = try await cache.file(for: key)
            span.end(file == nil ? .missed : .done)
            guard let file else { return nil }
            var loaded = LoadedData(data: file.data, source: .disk)
            loaded.timeline[.disk] = .now - started
            loaded.provenance = Provenance(file.metadata, stamp: stamp)
            return loaded
        } catch {
            span.end(.failed(error))
            observation.warn(.notRead(error))
            return nil
        }
    }

    /// Returns whether an image on disk was made from the current version of the file.
    private func isFromCurrentFile(_ provenance: Provenance, _ request: ImageRequest) async -> Bool {
        if let version = known.version(of: request.originalKey) { return version == provenance.version }
        guard let metadata = try? await fileCache(of: request).metadata(for: request.originalKey) else { return true }
        let original = Provenance(metadata, stamp: 0)
        _ = known.recordCached(original, for: request.originalKey)
        return original.version == nil || original.version == provenance.version
    }

    // MARK: - Storing

    /// Stores an image in memory at once and, unless it is the original, on disk.
    func store(
        _ image: LoadedImage, _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> LoadedImage {
        guard image.isStorable else { return image }
        if request.cache.store.contains(.memory) { storeInMemory(image.image, stamp: image.provenance.stamp, request) }
        // Only the original has all frames of an animation. Making an image from a local file again costs no more than
        // reading it.
        guard !request.isOriginal, request.cache.store.contains(.disk), image.image.animation == nil,
            image.source == .network || image.source == .disk, !image.image.hasAppliedGainMap
        else { return image }
        if storeDecodedLater(image, request, context) { return image }
        let started = ContinuousClock.now
        await runInBackground(request) { [self] in
            let span = observation.begin(.store, request)
            let cache = imageCache(of: request)
            let decoded = CachedImage(image: image.image, metadata: image.provenance.metadata)
            // A decoded image needs no encoded form, as long as the original outlives it.
            var isDecodedStored = false
            await write { () throws(ImageError) in
                isDecodedStored = try await cache.extended?.storeDecoded(decoded, for: request.diskKey) ?? false
            }
            if isDecodedStored, request.cache.storeOriginal.contains(.disk) { return span.end() }
            guard let data = await processor.encode(image.image, request) else { return span.end(.missed) }
            let outcome = await write { () throws(ImageError) in
                try await cache.store(data, metadata: image.provenance.metadata, for: request.diskKey)
            }
            span.end(outcome)
        }
        var stored = image
        if request.options.contains(.waitStoreCache) {
            stored.timeline[.store] = (stored.timeline[.store] ?? .zero) + (.now - started)
        }
        return stored
    }

    /// Schedules the store of a decoded image for when the cache is idle, if the image is new and in memory. Returns
    /// whether it was scheduled.
    private func storeDecodedLater(_ image: LoadedImage, _ request: ImageRequest, _ context: LoadContext) -> Bool {
        guard image.source == .network, request.cache.store.contains(.memory),
            request.cache.storeOriginal.contains(.disk), !request.options.contains(.waitStoreCache)
        else { return false }
        let decoded = CachedImage(image: image.image, metadata: image.provenance.metadata)
        return imageCache(of: request).extended?
            .storeDecodedWhenIdle(decoded, for: request.diskKey, priority: context.priority) ?? false
    }

    /// Stores an image in memory. `stamp` is when the file that it was made from was current.
    func storeInMemory(_ image: DecodedImage, stamp: UInt64, _ request: ImageRequest) {
        var image = image
        image.stamp = stamp
        imageCache(of: request).storeInMemory(image, for: request.key, family: request.familyKey)
    }

    /// Records the version of a file from the network. Images of any other version are out of date from now on.
    func acceptVersion(of file: LoadedData, _ request: ImageRequest) -> LoadedData {
        guard file.source == .network else { return file }
        var accepted = file
        accepted.provenance.version = FileVersion(of: file.data)
        accepted.provenance.stamp = known.accept(
            accepted.provenance, for: request.originalKey, isRefresh: request.options.contains(.fromLoaderOnly))
        return accepted
    }

    /// Stores an original file after decoding it. Files that cannot be decoded are never cached.
    func storeOriginal(_ file: SharedFile, _ request: ImageRequest) async {
        guard request.keepsFile, file.value.source.isWorthStoring else { return }
        await runInBackground(request) { [self] in
            let cache = fileCache(of: request)
            if file.value.provenance.mayBeKept, let data = await serialize(file.value.data, request) {
                let span = observation.begin(.store, request)
                var metadata = file.value.provenance.metadata
                metadata.fields[CacheMetadata.url] = request.primaryURL.textWithoutUserAndFragment
                let outcome = await write { [metadata] () throws(ImageError) in
                    try await cache.store(data, metadata: metadata, for: request.originalKey)
                }
                span.end(outcome)
            } else {
                await remove(request.originalKey, from: cache)
            }
            // Until here other loads can join the file.
            withExtendedLifetime(file.lease) {}
        }
    }

    /// Sets the request's pin and tags. Done before a load stores anything, so that no crash leaves a file without
    /// them.
    func mark(_ request: ImageRequest) async {
        guard request.isMarked else { return }
        let source = CachedURL(request)
        var marks = request.cache.tags.map { CacheMark.tag($0) }
        if request.cache.isPinned { marks.append(.pin) }
        var caches = [imageCache(of: request)]
        if request.cache.originalImageCache != nil { caches.append(fileCache(of: request)) }
        for cache in caches {
            for mark in marks {
                await write { () throws(ImageError) in try await cache.extended?.set(mark, source) }
            }
        }
    }

    /// Runs `work` after the load, or before its end if the request waits for the cache.
    func runInBackground(_ request: ImageRequest, _ work: @escaping @Sendable () async -> Void) async {
        if request.options.contains(.waitStoreCache) {
            await work()
        } else {
            Task(executorPreference: WorkerPool.writes) { await work() }
        }
    }

    /// Returns the bytes to write for an original file; `nil` for none.
    private func serialize(_ data: Data, _ request: ImageRequest) async -> Data? {
        guard let serializer = request.cache.serializer?.value ?? configuration.serializer else { return data }
        return await WorkerPool.pixels.run { serializer(data, request) }
    }

    /// Runs `body`. Its error is a warning, because a cache that cannot be written does not fail a load.
    @discardableResult
    private func write(_ body: () async throws(ImageError) -> Void) async -> StageOutcome {
        do throws(ImageError) {
            try await body()
            return .done
        } catch {
            observation.warn(.notStored(error))
            return .failed(error)
        }
    }

    func remove(_ key: CacheKey, from cache: any ImageCaching) async {
        await write { () throws(ImageError) in try await cache.remove(key, from: .all) }
    }
}
