public import EaselFoundation
import Synchronization

/// The entry point for loading images: from memory, from disk, or from their URLs. Equal loads share their work.
///
/// Every load ends exactly once. All methods may be called from any thread.
public final class ImageManager: Sendable {
    /// The cache of this manager.
    public var cache: any ImageCaching { pipeline.configuration.cache }
    let pipeline: LoadPipeline
    private let running: RunningTasks

    /// Creates a manager. The module `Easel` has a manager with defaults for all parts.
    public init(configuration: Configuration) {
        pipeline = LoadPipeline(configuration)
        running = RunningTasks(pipeline)
    }

    // MARK: - Loading

    /// Loads an image. If it is in memory, the task has its response before this method returns.
    @discardableResult
    public func load(_ request: ImageRequest) -> ImageTask { load(request) { _ in } }

    /// Loads the image at a URL.
    @discardableResult
    public func load(_ url: URL) -> ImageTask { load(ImageRequest(url)) }

    /// Loads an image. Calls `prepare` with the task before it begins, unless the image is in memory.
    package func load(_ request: ImageRequest, prepare: (ImageTask) -> Void) -> ImageTask {
        let request = applyConfiguration(to: request)
        if let response = hit(request) { return ImageTask(found: response) }
        return start(request, prepare: prepare)
    }

    /// Returns the image for a request. Cancelling the calling task cancels the load.
    ///
    /// - Throws: The reason why there is no image.
    public func image(for request: ImageRequest) async throws(ImageError) -> DecodedImage {
        let request = applyConfiguration(to: request)
        if let response = hit(request) { return response.image }
        return try await start(request).response.image
    }

    /// Returns the image at a URL.
    ///
    /// - Throws: The reason why there is no image.
    public func image(for url: URL) async throws(ImageError) -> DecodedImage {
        try await image(for: ImageRequest(url))
    }

    private func start(_ request: ImageRequest, prepare: (ImageTask) -> Void = { _ in }) -> ImageTask {
        let task = ImageTask(request, in: running)
        prepare(task)
        guard running.begin(task) else {
            task.finish(.failure(.invalidated))
            return task
        }
        if request.options.contains(.continueInBackground), let begin = pipeline.configuration.backgroundTime {
            let end = begin { [weak task] in task?.cancel() }
            task.observeEnd { _ in end() }
        }
        showPlaceholder(of: task)
        showPreview(of: task)
        if request.isMarked {
            Task {
                await pipeline.mark(request)
                task.begin()
            }
        } else {
            task.begin()
        }
        return task
    }

    /// Returns the original file. Only its first bytes are checked. The download is shared with loads of the image.
    ///
    /// - Parameter progress: Called as bytes arrive, and not after this method has returned.
    /// - Throws: The reason why there is no file.
    public func data(
        for request: ImageRequest, progress: @escaping @Sendable (LoadProgress) -> Void = { _ in }
    ) async throws(ImageError) -> LoadedData {
        let request = applyConfiguration(to: request)
        let gate = ProgressGate(progress)
        defer { gate.close() }
        let context = LoadContext(priority: request.priority, observation: pipeline.observation) { update in
            if case .progress(let progress) = update { gate.pass(progress) }
        }
        return try await originalData(request, context)
    }

    /// Returns the original file for a request that has been processed.
    func originalData(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        guard !running.isShutDown else { throw .invalidated }
        let started = ContinuousClock.now
        let load = pipeline.observation.begin(request)
        await pipeline.mark(request)
        do throws(ImageError) {
            var loaded = try await pipeline.loadData(request, context)
            loaded.timeline.total = .now - started
            pipeline.observation.end(load, .success(loaded.summary))
            return loaded
        } catch {
            pipeline.observation.end(load, .failure(error))
            throw error
        }
    }

    // MARK: - Memory

    /// Returns the response of a load that memory can answer completely.
    private func hit(_ request: ImageRequest) -> ImageResponse? {
        let started = ContinuousClock.now
        guard !request.refreshes, !request.options.contains(.queryMemoryData), !running.isShutDown,
            let image = pipeline.imageInMemory(request)
        else { return nil }
        var response = ImageResponse(image: image.scaled(request), source: .memory, request: request)
        response.timeline.total = .now - started
        pipeline.observation.didFind(response, for: request)
        if request.isMarked { Task { await pipeline.mark(request) } }
        return response
    }

    /// Returns the image if it is in memory and may be used without a request. It counts as a use of the image.
    public func cachedImage(for request: ImageRequest) -> DecodedImage? {
        let request = applyConfiguration(to: request)
        return pipeline.imageInMemory(request)?.scaled(request)
    }

    // MARK: - State

    /// Whether a load of an image is in progress.
    package var isRunning: Bool { !running.isEmpty }

    /// The statistics of this manager.
    public var statistics: ManagerStatistics {
        var statistics = pipeline.observation.statistics
        statistics.memory = cache.extended?.memoryStatistics
        return statistics
    }

    /// Cancels every load of this manager.
    public func cancelAll() { ImageTask.cancel(running.all, of: pipeline) }

    /// Cancels every load and refuses new ones with `ImageError.invalidated`. A call of `data(for:progress:)` ends with
    /// its own task.
    public func shutDown() {
        running.shutDown()
        cancelAll()
        pipeline.refreshes.shutDown()
    }

    /// Waits until all revalidations that loads have started (`stale-while-revalidate`, RFC 5861 3) have ended and
    /// their results are written. For programs that are about to exit.
    public func finishRefreshes() async {
        await pipeline.refreshes.finish()
        await pipeline.confirmations.settle()
    }

    /// Forgets all URLs that failed, so that they are tried again.
    public func forgetFailures() { pipeline.failures.forgetAll() }

    /// Forgets that a request failed, so that it is tried again.
    public func forgetFailure(of request: ImageRequest) { pipeline.failures.forget(applyConfiguration(to: request)) }

    /// Returns the request as the configuration's hooks change it.
    func applyConfiguration(to request: ImageRequest) -> ImageRequest {
        var request = request
        if request.transforms.isEmpty, !request.avoidsDefaultTransforms {
            let transforms = pipeline.configuration.delegate.imageManager(transformsFor: request)
            if !transforms.isEmpty { request.transforms = transforms }
        }
        request = pipeline.configuration.optionsProcessor?(request) ?? request
        if request.cache.key == nil, let key = pipeline.configuration.keyFilter?(request.url) {
            request.cache.key = key
        }
        // The steps of a transform pipeline are shared one by one.
        if !request.transforms.isEmpty { request.transforms = request.transforms.flattened }
        return request
    }
}

/// A gate that passes progress on until it is closed: when `close()` has returned, no call is in progress and none
/// begins.
private final class ProgressGate: Sendable {
    private let progress: Mutex<(@Sendable (LoadProgress) -> Void)?>

    init(_ progress: @escaping @Sendable (LoadProgress) -> Void) { self.progress = Mutex(progress) }

    func pass(_ report: LoadProgress) { progress.withLock { $0?(report) } }
    func close() { progress.withLock { $0 = nil } }
}
