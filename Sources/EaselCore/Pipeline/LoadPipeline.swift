import EaselFoundation

/// The steps of a load after a memory miss: apply the cache policy, look on disk, fetch, decode, transform, store.
///
/// Equal loads share each step: the whole load, each prefix of the transforms, and the original file.
final class LoadPipeline: Sendable {
    let configuration: ImageManager.Configuration
    let processor: ImageProcessor
    let failures: Failures
    let known = FileLedger()
    /// Revalidation after a load.
    let refreshes = BackgroundWork()
    /// Responses that confirm a cached file, on their way to the disk.
    let confirmations = SerialQueue()
    let observation: Observation
    let images: Coalescer<WorkKey, LoadedImage>
    let files = Coalescer<WorkKey, LoadedData>()

    init(_ configuration: ImageManager.Configuration) {
        self.configuration = configuration
        let (cache, delegate) = (configuration.cache, configuration.delegate)
        processor = ImageProcessor(coders: configuration.coders)
        failures = Failures(now: configuration.clock.now) { delegate.imageManager(blockingTimeFor: $0, after: $1) }
        observation = Observation(configuration.observers)
        images = Coalescer(limit: configuration.concurrentLoads) { await Self.isLocal($0.request, cache) }
    }

    /// The number of operations in flight, at any step.
    var workCount: Int { images.count + files.count + refreshes.count }

    // MARK: - Loading an image

    /// Returns the operation of a load, for `ImageTask` to subscribe with.
    func operation(for request: ImageRequest) -> Coalescer<WorkKey, LoadedImage>.Operation {
        { [self] context throws(ImageError) in
            guard !request.url.absoluteString.isEmpty else { throw .invalidURL("The URL is empty.") }
            if request.refreshes { return try await refresh(request, context) }
            if !request.isShareable { return try await loadExclusively(request, context) }
            return try await load(request, context)
        }
    }

    /// Loads an image without sharing the load, with the file's bytes if the image is in memory.
    func loadExclusively(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedImage {
        guard let image = imageInMemory(request) else { return try await loadShared(request, context) }
        var loaded = LoadedImage(image: image, source: .memory)
        if request.options.contains(.queryMemoryData) {
            loaded.data = try? await fileCache(of: request).data(for: request.originalKey)
        }
        return loaded
    }

    /// Loads an image, or joins an equal load. `shown` is the cached image that a refresh has delivered: the result if
    /// the server confirms it.
    func loadShared(
        _ request: ImageRequest, shown: LoadedImage? = nil, _ context: LoadContext
    ) async throws(ImageError) -> LoadedImage {
        try await coalesce(images, .load(request), request, context) { [self] context throws(ImageError) in
            try await load(request, shown: shown, context)
        }.value
    }

    /// Runs the steps of a load.
    private func load(
        _ request: ImageRequest, shown: LoadedImage? = nil, _ context: LoadContext
    ) async throws(ImageError) -> LoadedImage {
        try await tryingOtherURLs(of: request) { request throws(ImageError) in
            try await loadOnce(request, shown: shown, context)
        }
    }

    private func loadOnce(
        _ request: ImageRequest, shown: LoadedImage?, _ context: LoadContext
    ) async throws(ImageError) -> LoadedImage {
        let resolution = try await applyCachePolicy(to: request, context)
        var image: LoadedImage
        if resolution.usesCache, let shown {
            image = shown
        } else if resolution.file == nil, let cached = try await lookUp(resolution.request, context) {
            image = cached
        } else {
            image = try await process(resolution.request, from: resolution.file, context)
            image = try await store(image, resolution.request, context)
        }
        image.timeline.add(resolution.timeline)
        if request.fields.isSubstitute { image.image.alternative = request.url }
        return image
    }

    /// Returns an image: its last transform applied to the image before it, or the decoded original.
    private func process(
        _ request: ImageRequest, from file: SharedFile?, joinsFinished: Bool = true, _ context: LoadContext
    ) async throws(ImageError) -> LoadedImage {
        let joinsFinished =
            joinsFinished && file == nil && !request.options.contains(.fromLoaderOnly) && mayUseVariants(request)
        let result = try await coalesce(images, .image(request), request, context, joinsFinished: joinsFinished) {
            [self] context throws(ImageError) in
            var image: LoadedImage
            if let transform = request.transforms.last {
                image = try await loadInput(of: transform, of: request, from: file, context)
                try await processor.apply(transform, of: request, to: &image, context)
            } else {
                image = try await decodeOriginal(request, from: file, context)
            }
            image.image.stamp = image.provenance.stamp
            image.image.alternative = image.provenance.alternative
            return image
        }
        var image = result.value
        if result.role == .latecomer, !image.isStorable || !known.isCurrent(image.image, request) {
            return try await process(request, from: file, joinsFinished: false, context)
        }
        image.leases.append(result.lease)
        return image
    }

    /// Returns the image that a request's last transform is applied to.
    private func loadInput(
        of transform: ImageTransform, of request: ImageRequest, from file: SharedFile?, _ context: LoadContext
    ) async throws(ImageError) -> LoadedImage {
        let before = request.beforeLastTransform
        if file == nil, let cached = try await lookUp(before, context) { return cached }
        return try await transformingPreviews(by: transform, of: request, context) { context throws(ImageError) in
            try await self.process(before, from: file, context)
        }
    }

    /// Fetches and decodes the original at the requested size. A damaged file in the cache is removed, and fetched
    /// again.
    private func decodeOriginal(
        _ request: ImageRequest, from given: SharedFile?, _ context: LoadContext
    ) async throws(ImageError) -> LoadedImage {
        var file: SharedFile
        if let given {
            file = given
        } else {
            switch try await fetchShowingPreviews(request, context) {
            case .complete(let complete): file = complete
            case .sufficient(let image): return image
            }
        }
        do throws(ImageError) {
            var image = try await processor.decode(file.value, request, context)
            image.image.noteSampling()
            guard !image.image.metadata.isPartial else { return image }
            file.value = acceptVersion(of: file.value, request)
            image.provenance = file.value.provenance
            await storeOriginal(file, request)
            return image
        } catch {
            return try await decodeOriginal(discard(file, request, after: error), from: nil, context)
        }
    }

    /// Removes a damaged file from the cache, and returns the request to fetch it again.
    ///
    /// - Throws: `error`, if the file does not come from the cache.
    private func discard(
        _ file: SharedFile, _ request: ImageRequest, after error: ImageError
    ) async throws(ImageError) -> ImageRequest {
        if file.value.source == .network { failures.record(error, for: request) }
        guard file.value.source == .disk, error.code == .badData else { throw error }
        observation.warn(.damagedEntry(error))
        await remove(request.originalKey, from: fileCache(of: request))
        return request.adding(.fromLoaderOnly)
    }

    // MARK: - Loading a file

    /// Returns the original file. Its first bytes have to be those of an image. It is stored if all of it decodes.
    func loadData(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        try await tryingOtherURLs(of: request) { request throws(ImageError) in try await loadDataOnce(request, context)
        }
    }

    private func loadDataOnce(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let resolution = try await applyCachePolicy(to: request, needsFile: true, context)
        let request = resolution.request
        var file: SharedFile
        if let current = resolution.file { file = current } else { file = try await fetch(request, context) }
        file.value.timeline.add(resolution.timeline)
        do throws(ImageError) { try processor.checkIsImage(file.value.data, request) } catch {
            return try await loadDataOnce(discard(file, request, after: error), context)
        }
        guard file.value.source.isWorthStoring, request.keepsFile else { return file.value }
        // One of several callers stores the file, and each that waits for the cache.
        guard !file.value.provenance.mayBeKept || file.claim.take() || request.options.contains(.waitStoreCache) else {
            return file.value
        }
        await runInBackground(request) { [self, file] in
            guard await processor.isSound(file.value, request) else { return }
            var accepted = file
            accepted.value = acceptVersion(of: file.value, request)
            await storeOriginal(accepted, request)
        }
        return file.value
    }

    /// Returns the original file: from a load that has it, from the disk cache, or from its URL.
    func fetch(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> SharedFile {
        let joinsFinished = !request.options.contains(.fromLoaderOnly)
        var file = try await coalesce(files, .file(request), request, context, joinsFinished: joinsFinished) {
            [self] context throws(ImageError) in
            if let cached = await readOriginal(request) { return cached }
            guard !request.options.contains(.fromCacheOnly) else {
                throw request.fields.isOffline ? .offline : .notCached
            }
            return try await download(request, context)
        }
        file.value = applyStoragePolicy(of: request, to: file.value)
        return file
    }

    /// Loads the file, unless the URL failed a short while ago. The loader may report that `request.http.stored` is
    /// current.
    func download(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        guard configuration.delegate.imageManager(shouldLoad: request) else { throw .notCached }
        try failures.check(request)
        do throws(ImageError) {
            var request = request
            if request.keepsFile { request.fields.http.partialFolder = fileCache(of: request).extended?.partialFolder }
            var loaded = try await loader(of: request).load(request, context)
            failures.forget(request)
            loaded.provenance.stamp = known.stamp()
            loaded.provenance.alternative = request.alternativeURL
            return loaded
        } catch {
            failures.record(error, for: request)
            throw error
        }
    }

    /// Returns the loader of a request.
    func loader(of request: ImageRequest) -> any ImageLoading { request.loader?.value ?? configuration.loader }

    // MARK: - Sharing

    /// Runs `operation` once for all loads that need `key` at the same time.
    func coalesce<Value: Timed>(
        _ coalescer: Coalescer<WorkKey, Value>, _ key: WorkKey, _ request: ImageRequest, _ context: LoadContext,
        joinsFinished: Bool = false, _ operation: @escaping Coalescer<WorkKey, Value>.Operation
    ) async throws(ImageError) -> Coalesced<Value> {
        if request.options.contains(.avoidCoalescing) { return Coalesced(value: try await operation(context)) }
        return try await coalescer.run(key, context, joinsFinished: joinsFinished, operation).countedOnce
    }
}

/// An original file. While it is kept, other loads can join it.
typealias SharedFile = Coalesced<LoadedData>

extension Coalesced where Value: Timed {
    /// The value without the requests that another load counts, and without the time that passed before a latecomer.
    var countedOnce: Self {
        guard role != .leader else { return self }
        var joined = self
        if role == .latecomer { joined.value.timeline = LoadTimeline() }
        joined.value.timeline.join()
        return joined
    }
}

extension LoadedData: Timed {}

/// An image for the loads that need it.
struct LoadedImage: Timed {
    var image: DecodedImage
    var source: ImageSource
    var data: Data?
    var provenance = Provenance()
    var timeline = LoadTimeline()
    /// Leases that keep the images from which this one was made available to other loads.
    var leases: [Lease] = []
    /// The permission of a `PreparedDecoding` to hold the pixels.
    var permit: (any AnyObject & Sendable)?

    /// Whether it may be stored, and used by later loads.
    var isStorable: Bool { !image.metadata.isPartial && provenance.mayBeKept }
}

extension DecodedImage {
    /// Records the sizes before and after decoding an original file. The header of any other file has no original size.
    mutating func noteSampling() {
        guard let original = metadata.header?.size else { return }
        metadata.sampling = Sampling(original: original, decoded: size)
    }
}
