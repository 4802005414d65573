import EaselFoundation

/// What the way of a request does with the cache.
extension Pipeline {
    /// Where the picture as asked for is kept (X022).
    func pictureCache(of request: ImageRequest) -> any ImageCaching { request.cache.imageCache?.value ?? cache }

    /// Where its file is kept (X034).
    func fileCache(of request: ImageRequest) -> any ImageCaching {
        request.cache.originalImageCache?.value ?? pictureCache(of: request)
    }

    /// Whether a load needs nobody but this machine: a guess, which settles only where it stands in line.
    static func isAtHand(_ request: ImageRequest, _ cache: any ImageCaching) async -> Bool {
        guard request.isHTTP else { return true }
        guard !request.options.contains(.fromLoaderOnly) else { return false }
        let pictures = request.cache.imageCache?.value ?? cache
        if !request.isOriginal, await !pictures.contains(request.diskKey, in: .disk).isEmpty { return true }
        let files = request.cache.originalImageCache?.value ?? pictures
        return await !files.contains(request.originalKey, in: .disk).isEmpty
    }

    /// The picture in memory, where it may be used without asking anybody, nor the disk.
    func pictureInMemory(_ request: ImageRequest) -> DecodedImage? {
        guard request.cache.query.contains(.memory), !request.options.contains(.fromLoaderOnly),
            case let cache = pictureCache(of: request),
            let image = cache.image(for: request.key)?.answer(to: request)
                ?? cache.image(inFamily: request.familyKey, for: request.decodedSize, request.precision)?
                .answer(to: request),
            known.isCurrent(image, request)
        else { return nil }
        return isFresh(request) ? image : nil
    }

    /// The picture in memory, in whose place another call may have put it meanwhile (X086), or on disk under its own key.
    func cached(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> Picture? {
        guard !request.options.contains(.fromLoaderOnly), mayUseVariants(request) else { return nil }
        if request.cache.query.contains(.memory),
            let image = pictureCache(of: request).image(for: request.key)?.answer(to: request),
            known.isCurrent(image, request)
        {
            return Picture(image: image, source: .memory)
        }
        guard !request.isOriginal, request.cache.query.contains(.disk) else { return nil }
        if let picture = await cachedDecoded(request) { return picture }
        guard let file = await read(request.diskKey, in: pictureCache(of: request), request),
            await isOfCurrentFile(file.provenance, request)
        else { return nil }
        do throws(ImageError) {
            var picture = try await pixels.decode(file, request.asStored, context)
            picture.image.isFirstFrameOnly = !request.wantsAnimation
            if request.cache.store.contains(.memory) { storeInMemory(picture, request) }
            return picture
        } catch {
            guard case .badData = error else { throw error }
            warn(.damagedEntry(error))
            await remove(request.diskKey, from: pictureCache(of: request))
            return nil
        }
    }

    /// The picture from the decoded tier, where having it costs no decode.
    private func cachedDecoded(_ request: ImageRequest) async -> Picture? {
        let started = ContinuousClock.now
        let span = observation.begin(.disk, request)
        let stamp = known.stamp()
        let found = await pictureCache(of: request).decodedPicture(for: request.diskKey)
        span.end(found == nil ? .missed : .done)
        guard let found else { return nil }
        var picture = Picture(image: found.image, source: .disk, provenance: Provenance(found.metadata, stamp: stamp))
        picture.image.isFirstFrameOnly = !request.wantsAnimation
        guard await isOfCurrentFile(picture.provenance, request) else { return nil }
        if request.cache.store.contains(.memory) { storeInMemory(picture, request) }
        picture.timeline.disk = .now - started
        return picture
    }

    /// The original on disk, unless it is older than what has come from its server and is about to be stored.
    func cachedOriginal(_ request: ImageRequest) async -> LoadedData? {
        guard request.findsFile, !request.options.contains(.fromLoaderOnly),
            let file = await read(request.originalKey, in: fileCache(of: request), request),
            known.found(file.provenance, for: request.originalKey)
        else { return nil }
        return file
    }

    private func read(_ key: CacheKey, in cache: any ImageCaching, _ request: ImageRequest) async -> LoadedData? {
        let started = ContinuousClock.now
        let span = observation.begin(.disk, request)
        // Before it is read: if it is replaced meanwhile, the old one may be what comes.
        let stamp = known.stamp()
        do throws(ImageError) {
            let file = try await cache.file(for: key)
            span.end(file == nil ? .missed : .done)
            guard let file else { return nil }
            var timeline = LoadTimeline()
            timeline.disk = .now - started
            var loaded = LoadedData(data: file.data, source: .disk, timeline: timeline)
            loaded.provenance = Provenance(file.metadata, stamp: stamp)
            return loaded
        } catch {
            span.end(.failed(error))
            warn(.notRead(error))
            return nil
        }
    }

    /// Whether a picture on disk was made from the file as it is now.
    private func isOfCurrentFile(_ provenance: Provenance, _ request: ImageRequest) async -> Bool {
        if let version = known.version(of: request.originalKey) { return version == provenance.version }
        guard let metadata = try? await fileCache(of: request).metadata(for: request.originalKey) else { return true }
        let original = Provenance(metadata, stamp: 0)
        _ = known.found(original, for: request.originalKey)
        return original.version == nil || original.version == provenance.version
    }

    /// Keeps the picture in memory at once and, where it is not simply the original file, on disk.
    func stored(
        _ picture: Picture, _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> Picture {
        guard !picture.image.metadata.isPartial, picture.provenance.mayBeKept else { return picture }
        if request.cache.store.contains(.memory) { storeInMemory(picture, request) }
        // Of an animation only the original keeps all frames.
        guard !request.isOriginal, request.cache.store.contains(.disk), picture.source.isWorthKeeping,
            picture.image.animation == nil
        else { return picture }
        if isTakenAtRest(picture, request, context) { return picture }
        let started = ContinuousClock.now
        await behind(request) { [self] in
            // What can be had again without a decode needs no encoded form, as long as the original outlives it.
            let span = observation.begin(.store, request)
            let cache = pictureCache(of: request)
            if await writeDecoded(picture, request.diskKey, cache), request.cache.storeOriginal.contains(.disk) {
                return span.end()
            }
            guard let data = await pixels.encoded(picture.image, request) else { return span.end(.missed) }
            span.end(await write(data, picture.provenance.metadata, request.diskKey, cache))
        }
        guard request.options.contains(.waitStoreCache) else { return picture }
        var waited = picture
        waited.timeline.store = (waited.timeline.store ?? .zero) + (.now - started)
        return waited
    }

    /// Whether the cache has taken the picture, to be kept decoded when a good moment has come: one that is there for the first
    /// time, and in memory. What had to be made again from its file is worth keeping at once.
    private func isTakenAtRest(_ picture: Picture, _ request: ImageRequest, _ context: LoadContext) -> Bool {
        guard picture.source == .network, request.cache.store.contains(.memory),
            request.cache.storeOriginal.contains(.disk), !request.options.contains(.waitStoreCache)
        else { return false }
        let decoded = CachedPicture(image: picture.image, metadata: picture.provenance.metadata)
        let cache = pictureCache(of: request)
        return cache.storeDecodedAtRest(decoded, for: request.diskKey, priority: context.priority)
    }

    private func storeInMemory(_ picture: Picture, _ request: ImageRequest) {
        var image = picture.image
        image.stamp = picture.provenance.stamp
        pictureCache(of: request).store(image, for: request.key, family: request.familyKey)
    }

    /// The file as the one that its URL gives now, if it comes from there: pictures of any other are out of date.
    func accepted(_ original: Original, _ request: ImageRequest) -> Original {
        guard original.file.source == .network else { return original }
        var accepted = original
        accepted.file.provenance.version = FileVersion(of: original.file.data)
        accepted.file.provenance.stamp = known.accept(
            accepted.file.provenance, for: request.originalKey, isRefresh: request.options.contains(.fromLoaderOnly))
        return accepted
    }

    /// Keeps the file as it came, once it has proved to be a picture: what does not decode is never cached.
    func storeOriginal(_ original: Original, _ request: ImageRequest) async {
        guard request.keepsFile, original.file.source.isWorthStoring else { return }
        await behind(request) { [self] in
            let cache = fileCache(of: request)
            if original.file.provenance.mayBeKept, let data = await serialized(original.file.data, request) {
                let span = observation.begin(.store, request)
                span.end(await write(data, original.file.provenance.metadata, request.originalKey, cache))
            } else {
                // What it takes the place of is out of date.
                await remove(request.originalKey, from: cache)
            }
            // Until here nobody has to fetch it again.
            withExtendedLifetime(original) {}
        }
    }

    /// Does `work` behind the load's back, unless the load wants to wait for it (X013, X056).
    func behind(_ request: ImageRequest, _ work: @escaping @Sendable () async -> Void) async {
        if request.options.contains(.waitStoreCache) {
            await work()
        } else {
            // It begins with files and ends with them: on their threads no other has to be woken.
            Task(executorPreference: WorkerPool.writes) { await work() }
        }
    }

    /// What is written for an original file (X054).
    private func serialized(_ data: Data, _ request: ImageRequest) async -> Data? {
        guard let serializer = request.cache.serializer?.value ?? serializer else { return data }
        return await WorkerPool.pixels.run { serializer(data, request) }
    }

    /// A cache that cannot be written loses nothing but the caching.
    private func write(
        _ data: Data, _ metadata: CacheMetadata, _ key: CacheKey, _ cache: any ImageCaching
    ) async -> StageOutcome {
        do throws(ImageError) {
            try await cache.store(data, metadata: metadata, for: key)
            return .done
        } catch {
            warn(.notStored(error))
            return .failed(error)
        }
    }

    private func writeDecoded(_ picture: Picture, _ key: CacheKey, _ cache: any ImageCaching) async -> Bool {
        let decoded = CachedPicture(image: picture.image, metadata: picture.provenance.metadata)
        do throws(ImageError) { return try await cache.storeDecoded(decoded, for: key) } catch {
            warn(.notStored(error))
            return false
        }
    }

    func remove(_ key: CacheKey, from cache: any ImageCaching) async {
        do throws(ImageError) { try await cache.remove(key, from: .all) } catch { warn(.notStored(error)) }
    }
}
