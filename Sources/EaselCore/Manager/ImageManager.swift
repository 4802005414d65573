public import EaselFoundation

/// Loads pictures: from memory, from disk, or from where their URL says; each once, however many ask.
///
/// Every load ends exactly once. All methods may be called from any thread.
public final class ImageManager: Sendable {
    /// The cache that this manager uses.
    public var cache: any ImageCaching { pipeline.cache }
    let pipeline: Pipeline
    private let configuration: Configuration
    private let running: RunningTasks

    /// A manager of these parts. The module `Easel` has one with defaults for all.
    public init(configuration: Configuration) {
        pipeline = Pipeline(configuration)
        running = RunningTasks(pipeline)
        self.configuration = configuration
    }

    /// Loads a picture. A picture in memory is there before the call returns, in `ImageTask.response` and the events.
    @discardableResult
    public func load(_ request: ImageRequest) -> ImageTask {
        load(request) { _ in }
    }

    /// Loads an image. Calls `prepare` with a task that begins after it, unless the image is in memory.
    func load(_ request: ImageRequest, prepare: (ImageTask) -> Void) -> ImageTask {
        let request = processed(request)
        if let response = hit(request) { return ImageTask(found: response) }
        return start(request, prepare: prepare)
    }

    /// Loads the image at a URL.
    @discardableResult
    public func load(_ url: URL) -> ImageTask { load(ImageRequest(url)) }

    /// Begins a load whose picture is not in memory.
    private func start(_ request: ImageRequest, prepare: (ImageTask) -> Void = { _ in }) -> ImageTask {
        let task = ImageTask(request, in: running)
        prepare(task)
        guard running.begin(task) else {
            task.finish(.failure(.invalidated))
            return task
        }
        if request.options.contains(.continueInBackground) { configuration.backgroundTime?.cover(task) }
        showPlaceholder(of: task)
        if request.isShareable {
            task.share()
        } else {
            task.start { [self] context in task.finish(await outcome(request, context)) }
        }
        return task
    }

    /// The picture for a request. Cancelling the task that waits cancels the load.
    ///
    /// - Throws: why there is none.
    public func image(for request: ImageRequest) async throws(ImageError) -> DecodedImage {
        // Nobody watches, so that a picture in memory needs no task.
        let request = processed(request)
        if let response = hit(request) { return response.image }
        return try await start(request).response.image
    }

    /// The picture at a URL.
    ///
    /// - Throws: why there is none.
    public func image(for url: URL) async throws(ImageError) -> DecodedImage {
        try await image(for: ImageRequest(url))
    }

    /// The original file, as it came: it is known to be a picture by its first bytes alone. Shares the download with
    /// loads of the picture (B58). `progress` is not called after the end; a call that is under way is waited for.
    ///
    /// - Throws: why there is none.
    public func data(
        for request: ImageRequest, progress: @escaping @Sendable (LoadProgress) -> Void = { _ in }
    ) async throws(ImageError) -> LoadedData {
        let request = processed(request)
        let gate = ProgressGate()
        // Nobody else has it, to hurry the load.
        let context = LoadContext(
            priority: request.priority, observation: pipeline.observation, isSteady: true
        ) { update in
            if case .progress(let report) = update { gate.pass { progress(report) } }
        }
        do throws(ImageError) {
            let loaded = try await originalData(request, context)
            await gate.close()
            return loaded
        } catch {
            await gate.close()
            throw error
        }
    }

    /// The original file of a request that has been processed.
    func originalData(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        guard !running.isShutDown else { throw .invalidated }
        let started = ContinuousClock.now
        let load = pipeline.observation.begin(request)
        do throws(ImageError) {
            var loaded = try await pipeline.originalData(request, context)
            loaded.timeline.total = .now - started
            pipeline.observation.end(load, .success(loaded.summary))
            return loaded
        } catch {
            pipeline.observation.end(load, .failure(error))
            throw error
        }
    }

    /// Whether a load is under way.
    public var isRunning: Bool { !running.isEmpty }

    /// What this manager has done so far, and what it is doing.
    public var statistics: ManagerStatistics {
        var statistics = pipeline.observation.statistics
        statistics.memory = cache.memoryStatistics
        return statistics
    }

    /// Cancels every load of this manager (S053).
    public func cancelAll() {
        ImageTask.cancel(running.all, of: pipeline)
    }

    /// Cancels every load and refuses new ones with `ImageError.invalidated` (B104). A file that is being loaded alone,
    /// by `data(for:progress:)`, belongs to the Swift task that waits for it, and ends with that.
    public func shutDown() {
        running.shutDown()
        cancelAll()
        pipeline.refreshes.shutDown()
    }

    /// Returns when no refresh is under way that a load began behind its back (`stale-while-revalidate`, RFC 5861 3), and what
    /// servers have confirmed is written. For programs that end, which would else end them.
    public func finishRefreshes() async {
        await pipeline.refreshes.finish()
        await pipeline.confirmations.finish()
    }

    /// The request as it is worked on: as the configuration's hooks leave it.
    func processed(_ request: ImageRequest) -> ImageRequest {
        var request = request
        if request.transforms.isEmpty, !request.avoidsDefaultTransforms {
            let transforms = configuration.delegate.imageManager(transformsFor: request)
            if !transforms.isEmpty { request.transforms = transforms }
        }
        request = (configuration.optionsProcessor?(request) ?? request).withOptionsInFields
        if request.cache.key == nil, let key = configuration.keyFilter?(request.url) { request.cache.key = key }
        // A pipeline of transforms is its steps, and they are shared.
        if !request.transforms.isEmpty { request.transforms = request.transforms.flattened }
        return request
    }

    // MARK: - The way of a request, behind which `Pipeline` goes on

    /// A whole load whose picture is in memory.
    private func hit(_ request: ImageRequest) -> ImageResponse? {
        guard let response = inMemory(request), !request.needsMore(than: response),
            !running.isShutDown
        else { return nil }
        pipeline.observation.found(response, for: request)
        return response
    }

    func inMemory(_ request: ImageRequest) -> ImageResponse? {
        let started = ContinuousClock.now
        guard let image = pipeline.pictureInMemory(request) else { return nil }
        var response = ImageResponse(image: image.scaled(request), source: .memory, request: request)
        response.timeline.total = .now - started
        return response
    }
}

extension ImageResponse {
    init(_ picture: Pipeline.Picture, _ request: ImageRequest) {
        self.init(
            image: picture.image.scaled(request), source: picture.source, data: picture.data, request: request,
            timeline: picture.timeline)
    }
}

extension ImageRequest {
    /// Whether a picture from memory is not all that was asked for.
    fileprivate func needsMore(than response: ImageResponse) -> Bool {
        refreshes || options.contains(.queryMemoryData)
    }

    /// Whether all of a load is work that it may share, which needs no task to wait for it: most are so.
    fileprivate var isShareable: Bool {
        !refreshes && options.isDisjoint(with: [.avoidCoalescing, .queryMemoryData]) && !url.absoluteString.isEmpty
    }

    /// Whether the server is to be asked about what is kept.
    var refreshes: Bool { options.contains(.refreshCached) && http.policy != .offline }

    /// What is wanted of its load.
    var demand: LoadDemand {
        LoadDemand(priority: priority, wantsPreviews: options.contains(.progressive))
    }
}

extension DecodedImage {
    /// The same pixels at the scale that the request means.
    func scaled(_ request: ImageRequest) -> DecodedImage {
        var image = self
        image.scale = request.resultScale
        return image
    }
}
