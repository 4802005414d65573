import EaselFoundation

/// The way of a request behind the memory cache, from top to bottom.
///
/// Each step is done once for all who ask for the same thing at the same time: the whole load, each prefix of its
/// transforms, and the original file.
final class Pipeline: Sendable {
    let cache: any ImageCaching
    let loader: any ImageLoading
    let pixels: PixelWork
    let failures: Failures
    let known = KnownFiles()
    let refreshes = BackgroundRefreshes()
    /// What a server has confirmed, on its way to the disk.
    let confirmations = BackgroundRefreshes()
    let date: @Sendable () -> Date
    let observation: Observation
    let clock: LoadClock
    let previewInterval: Duration
    let delegate: any ImageManagerDelegate
    let serializer: (@Sendable (Data, ImageRequest) -> Data?)?

    let loads: Sharing<ImageRequest, Picture>
    let pictures = Sharing<ImageRequest, Picture>()
    let originals = Sharing<ImageRequest, Original>()
    let validations = Sharing<ImageRequest, Validation>()
    let held = HeldOriginals()
    let heldPictures = HeldPictures()

    /// A picture on its way, with where it comes from.
    struct Picture: Timed {
        var image: DecodedImage
        var source: ImageSource
        var data: Data?
        private var boxedProvenance: Boxed<Provenance>
        private var boxedTimeline: Boxed<LoadTimeline>

        init(
            image: DecodedImage, source: ImageSource, data: Data? = nil, provenance: Provenance = Provenance(),
            timeline: LoadTimeline = LoadTimeline()
        ) {
            self.image = image
            self.source = source
            self.data = data
            boxedProvenance = Boxed(provenance)
            boxedTimeline = Boxed(timeline)
        }

        var provenance: Provenance {
            get { boxedProvenance.value }
            _modify { yield &boxedProvenance.value }
        }
        var timeline: LoadTimeline {
            get { boxedTimeline.value }
            _modify { yield &boxedTimeline.value }
        }
    }

    init(_ configuration: ImageManager.Configuration) {
        let cache = configuration.cache
        self.cache = cache
        loads = Sharing(limit: configuration.concurrentLoads) { await Self.isAtHand($0, cache) }
        loader = configuration.loader
        pixels = PixelWork(coders: configuration.coders)
        let delegate = configuration.delegate
        self.delegate = delegate
        failures = Failures(now: configuration.now) { delegate.imageManager(blockingTimeFor: $0, after: $1) }
        serializer = configuration.serializer
        date = configuration.date
        clock = configuration.clock
        previewInterval = configuration.previewInterval
        observation = Observation(configuration.observer)
    }

    func warn(_ warning: ImageWarning) { observation.warn(warning) }

    /// Pieces of work under way, at any step.
    var workCount: Int { loads.count + pictures.count + originals.count + validations.count + refreshes.count }

    // MARK: - The way

    /// The picture as asked for: `shown`, where a refresh finds it still current; from the cache, where the request's
    /// policy lets that be used; else made and stored.
    func picture(
        _ request: ImageRequest, shown: Picture? = nil, _ context: LoadContext
    ) async throws(ImageError) -> Picture {
        try await shared(loads, request.sharedLoad, request, context, load(request, shown))
    }

    /// The whole load of a picture, as work that may be shared.
    func load(_ request: ImageRequest, _ shown: Picture? = nil) -> Sharing<ImageRequest, Picture>.Operation {
        { [self] context throws(ImageError) in
            let standing = try await standing(of: request, context)
            if standing.usesKept, let shown { return shown.after(standing) }
            let picture = try await picture(standing, context)
            return picture.after(standing)
        }
    }

    /// The picture once it is settled what of the cache may be used.
    private func picture(_ standing: Standing, _ context: LoadContext) async throws(ImageError) -> Picture {
        let request = standing.request
        if standing.original == nil, let cached = try await cached(request, context) { return cached }
        let made = try await made(request, from: standing.original, context)
        return try await stored(made, request, context)
    }

    /// The picture made: by its last transform from the picture before, or decoded from the original.
    private func made(
        _ request: ImageRequest, from original: Original?, _ context: LoadContext
    ) async throws(ImageError) -> Picture {
        try await shared(pictures, request.sharedPicture, request, context) { context throws(ImageError) in
            if original == nil, let held = self.heldPicture(request) { return held }
            guard let transform = request.transforms.last else {
                let picture = try await self.decoded(request, from: original, context)
                self.hold(picture, request)
                return picture
            }
            let before = request.beforeLastTransform
            var picture: Picture
            if original == nil, let cached = try await self.cached(before, context) {
                picture = cached
            } else {
                picture = try await self.showing(transform, of: request, context) {
                    context throws(ImageError) in
                    try await self.made(before, from: original, context)
                }
            }
            try await self.pixels.apply(transform, of: request, to: &picture, context)
            self.hold(picture, request)
            return picture
        }
    }

    /// The original, decoded at the size that is asked for. One in the cache that turns out to be damaged is fetched
    /// again (B99).
    private func decoded(
        _ request: ImageRequest, from given: Original?, _ context: LoadContext
    ) async throws(ImageError) -> Picture {
        var original: Original
        if let given {
            original = given
        } else {
            let arrival = try await arrival(request, context) { context throws(ImageError) in
                try await self.original(request, context)
            }
            switch arrival {
            case .whole(let whole): original = whole
            case .sufficient(let picture): return picture
            }
        }
        do throws(ImageError) {
            var picture = try await pixels.decode(original.file, request, context)
            picture.image.noteSampling()
            guard !picture.image.metadata.isPartial else { return picture }
            original = accepted(original, request)
            picture.provenance = original.file.provenance
            await storeOriginal(original, request)
            return picture
        } catch {
            if original.file.source == .network { failures.note(error, for: request) }
            guard original.file.source == .disk, case .badData = error else { throw error }
            warn(.damagedEntry(error))
            await remove(request.originalKey, from: fileCache(of: request))
            return try await decoded(request.adding(.fromLoaderOnly), from: nil, context)
        }
    }

    /// The original file alone. Its first bytes have to be a picture's (B58); it is kept only if the whole of it decodes,
    /// which the caller does not wait for.
    func originalData(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let standing = try await standing(of: request, wantsFile: true, context)
        let request = standing.request
        var original: Original
        if let found = standing.original {
            original = found
        } else {
            original = try await self.original(request, context)
        }
        original.timeline.add(standing.timeline)
        let file = original.file
        try checkIsImage(original, request)
        guard file.source.isWorthStoring, request.keepsFile else { return file }
        // Of many who ask for a file only one looks at it and stores it, unless more want to wait for that.
        guard !file.provenance.mayBeKept || original.holder.mayStore() || request.options.contains(.waitStoreCache)
        else { return file }
        await behind(request) { [self, original] in
            if await pixels.isSound(original.file, request) {
                await storeOriginal(accepted(original, request), request)
            }
        }
        return file
    }

    /// The original file: from whoever works with it, from the disk cache, or from where its URL says.
    private func original(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> Original {
        let key = request.sharedOriginal
        let original = try await shared(originals, key, request, context) { context throws(ImageError) in
            if !request.options.contains(.fromLoaderOnly), let held = self.held.original(for: key) { return held }
            if let cached = await self.cachedOriginal(request) { return self.held.hold(cached, for: key) }
            guard !request.options.contains(.fromCacheOnly) else { throw .notCached }
            return self.held.hold(try await self.loaded(request, context), for: key)
        }
        return judged(original, request)
    }

    /// Who loads for a request (X022).
    func loader(of request: ImageRequest) -> any ImageLoading { request.loader?.value ?? loader }

    /// The file from where its URL says, unless it failed a short while ago; or word that `request.http.stored` is current.
    func loaded(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        guard delegate.imageManager(shouldLoad: request) else { throw .notCached }
        try failures.check(request)
        do throws(ImageError) {
            var question = request
            if request.keepsFile { question.fields.http.partialFolder = fileCache(of: request).partialFolder }
            var loaded = try await loader(of: request).load(question, context)
            failures.forget(request)
            loaded.provenance.stamp = known.stamp()
            return loaded
        } catch {
            failures.note(error, for: request)
            throw error
        }
    }

    // MARK: - Sharing

    /// `body`, done once for all who ask for `key` meanwhile.
    func shared<Value: Timed>(
        _ sharing: Sharing<ImageRequest, Value>, _ key: ImageRequest, _ request: ImageRequest, _ context: LoadContext,
        _ body: @escaping Sharing<ImageRequest, Value>.Operation
    ) async throws(ImageError) -> Value {
        if request.options.contains(.avoidCoalescing) { return try await body(context) }
        let (value, led) = try await sharing(key, context, body)
        return led ? value : value.joined
    }
}
