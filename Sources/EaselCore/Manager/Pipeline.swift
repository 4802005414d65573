#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Synchronization

/// The way of a request behind the memory cache, from top to bottom.
///
/// Each step is done once for all who ask for the same thing at the same time: the whole load, each prefix of its
/// transforms, and the original file.
final class Pipeline: Sendable {
    let cache: any ImageCaching
    private let loader: any ImageLoading
    private let pixels: PixelWork
    private let failures: Failures
    private let warn: @Sendable (ImageWarning) -> Void

    private let loads = Sharing<ImageRequest, Picture>()
    private let pictures = Sharing<ImageRequest, Picture>()
    private let originals = Sharing<ImageRequest, Original>()
    private let held = HeldOriginals()

    /// A picture on its way, with where it comes from.
    struct Picture: Sendable {
        var image: DecodedImage
        var source: ImageSource
        var data: Data?
        var timeline = LoadTimeline()
    }

    init(_ configuration: ImageManager.Configuration) {
        cache = configuration.cache
        loader = configuration.loader
        pixels = PixelWork(coders: configuration.coders)
        failures = Failures(now: configuration.now)
        let observer = configuration.observer
        warn = { observer?.imageManager(didWarn: $0) }
    }

    /// Pieces of work under way, at any step.
    var workCount: Int { loads.count + pictures.count + originals.count }

    func forgetFailures() { failures.forgetAll() }

    // MARK: - The way

    /// The picture as asked for: from the disk cache, or made and stored.
    func picture(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> Picture {
        try await shared(loads, request.sharedLoad, request, context) { context throws(ImageError) in
            if let cached = try await self.cached(request, context) { return cached }
            let made = try await self.made(request, context)
            return try await self.stored(made, request)
        }
    }

    /// The picture made: by its last transform from the picture before, or decoded from the original.
    private func made(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> Picture {
        try await shared(pictures, request.sharedPicture, request, context) { context throws(ImageError) in
            guard let transform = request.transforms.last else { return try await self.decoded(request, context) }
            var before = request
            before.transforms.removeLast()
            var picture: Picture
            if let cached = try await self.cached(before, context) {
                picture = cached
            } else {
                picture = try await self.made(before, context)
            }
            try await self.pixels.apply(transform, to: &picture, context)
            return picture
        }
    }

    /// The original, decoded at the size that is asked for. One in the cache that turns out to be damaged is fetched
    /// again (B99).
    private func decoded(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> Picture {
        let original = try await original(request, context)
        do throws(ImageError) {
            var picture = try await pixels.decode(original.file, request, context)
            picture.image.noteSampling()
            if !picture.image.metadata.isPartial { await storeOriginal(original, request) }
            return picture
        } catch {
            if original.file.source == .network { failures.note(error, for: request) }
            guard original.file.source == .disk, case .badData = error else { throw error }
            warn(.damagedEntry(error))
            await remove(request.originalKey)
            return try await decoded(request.adding(.fromLoaderOnly), context)
        }
    }

    /// The original file alone. Its first bytes have to be a picture's (B58); it is kept only if the whole of it decodes,
    /// which the caller does not wait for.
    func originalData(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let original = try await original(request, context)
        try pixels.checkIsImage(original.file.data)
        guard original.file.source.isWorthStoring else { return original.file }
        await behind(request) { [self] in
            if await pixels.isSound(original.file, request) { await storeOriginal(original, request) }
        }
        return original.file
    }

    /// The original file: from whoever works with it, from the disk cache, or from where its URL says.
    private func original(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> Original {
        let key = request.sharedOriginal
        return try await shared(originals, key, request, context) { context throws(ImageError) in
            if !request.options.contains(.fromLoaderOnly), let held = self.held.original(for: key) { return held }
            if let cached = await self.cachedOriginal(request) { return self.held.hold(cached, for: key) }
            guard !request.options.contains(.fromCacheOnly) else { throw .notCached }
            try self.failures.check(request)
            do throws(ImageError) {
                let loaded = try await self.loader.load(request, context)
                self.failures.forget(request)
                return self.held.hold(loaded, for: key)
            } catch {
                self.failures.note(error, for: request)
                throw error
            }
        }
    }

    // MARK: - The cache

    /// The picture in memory, in whose place another call may have put it meanwhile (X086), or on disk under its own key.
    private func cached(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> Picture? {
        guard !request.options.contains(.fromLoaderOnly) else { return nil }
        if request.cache.query.contains(.memory), let image = cache.image(for: request.key) {
            return Picture(image: image, source: .memory)
        }
        guard !request.isOriginal, request.cache.query.contains(.disk) else { return nil }
        if let picture = await cachedDecoded(request) { return picture }
        guard let file = await read(request.key) else { return nil }
        do throws(ImageError) {
            let picture = try await pixels.decode(file, request.asStored, context)
            if request.cache.store.contains(.memory) { cache.store(picture.image, for: request.key) }
            return picture
        } catch {
            guard case .badData = error else { throw error }
            warn(.damagedEntry(error))
            await remove(request.key)
            return nil
        }
    }

    /// The picture from the decoded tier, where having it costs no decode.
    private func cachedDecoded(_ request: ImageRequest) async -> Picture? {
        let started = ContinuousClock.now
        guard let image = await cache.decodedImage(for: request.key) else { return nil }
        if request.cache.store.contains(.memory) { cache.store(image, for: request.key, family: request.familyKey) }
        var picture = Picture(image: image, source: .disk)
        picture.timeline.disk = .now - started
        return picture
    }

    private func cachedOriginal(_ request: ImageRequest) async -> LoadedData? {
        let levels = request.isOriginal ? request.cache.query : request.cache.queryOriginal
        guard levels.contains(.disk), !request.options.contains(.fromLoaderOnly) else { return nil }
        return await read(request.originalKey)
    }

    private func read(_ key: CacheKey) async -> LoadedData? {
        let started = ContinuousClock.now
        do throws(ImageError) {
            guard let data = try await cache.data(for: key) else { return nil }
            var timeline = LoadTimeline()
            timeline.disk = .now - started
            return LoadedData(data: data, source: .disk, timeline: timeline)
        } catch {
            warn(.notRead(error))
            return nil
        }
    }

    /// Keeps the picture in memory at once and, where it is not simply the original file, on disk.
    private func stored(_ picture: Picture, _ request: ImageRequest) async throws(ImageError) -> Picture {
        guard !picture.image.metadata.isPartial else { return picture }
        if request.cache.store.contains(.memory) {
            cache.store(picture.image, for: request.key, family: request.familyKey)
        }
        guard !request.isOriginal, request.cache.store.contains(.disk), picture.source.isWorthKeeping else {
            return picture
        }
        let started = ContinuousClock.now
        await behind(request) { [self] in
            // What can be had again without a decode needs no encoded form, as long as the original outlives it.
            if await writeDecoded(picture.image, request.key), request.cache.storeOriginal.contains(.disk) { return }
            guard let data = await pixels.encoded(picture.image) else { return }
            await write(data, request.key)
        }
        guard request.options.contains(.waitStoreCache) else { return picture }
        var waited = picture
        waited.timeline.store = (waited.timeline.store ?? .zero) + (.now - started)
        return waited
    }

    /// Keeps the file as it came, once it has proved to be a picture: what does not decode is never cached.
    private func storeOriginal(_ original: Original, _ request: ImageRequest) async {
        let levels = request.isOriginal ? request.cache.store : request.cache.storeOriginal
        guard levels.contains(.disk), original.file.source.isWorthStoring else { return }
        await behind(request) { [self] in
            await write(original.file.data, request.originalKey)
            // Until here nobody has to fetch it again.
            withExtendedLifetime(original) {}
        }
    }

    /// Does `work` behind the load's back, unless the load wants to wait for it (X013, X056).
    private func behind(_ request: ImageRequest, _ work: @escaping @Sendable () async -> Void) async {
        if request.options.contains(.waitStoreCache) {
            await work()
        } else {
            Task { await work() }
        }
    }

    /// A cache that cannot be written loses nothing but the caching.
    private func write(_ data: Data, _ key: CacheKey) async {
        do throws(ImageError) { try await cache.store(data, for: key) } catch { warn(.notStored(error)) }
    }

    private func writeDecoded(_ image: DecodedImage, _ key: CacheKey) async -> Bool {
        do throws(ImageError) { return try await cache.storeDecoded(image, for: key) } catch {
            warn(.notStored(error))
            return false
        }
    }

    private func remove(_ key: CacheKey) async {
        do throws(ImageError) { try await cache.remove(key, from: .all) } catch { warn(.notStored(error)) }
    }

    // MARK: - Sharing

    /// `body`, done once for all who ask for `key` meanwhile.
    private func shared<Value: Timed>(
        _ sharing: Sharing<ImageRequest, Value>, _ key: ImageRequest, _ request: ImageRequest, _ context: LoadContext,
        _ body: @escaping Sharing<ImageRequest, Value>.Operation
    ) async throws(ImageError) -> Value {
        if request.options.contains(.avoidCoalescing) { return try await body(context) }
        var (value, led) = try await sharing(key, context, body)
        if !led { value.timeline.join() }
        return value
    }
}
