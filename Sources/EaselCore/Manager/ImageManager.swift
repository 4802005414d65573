#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import Synchronization

/// Loads pictures: from memory, from disk, or from where their URL says; each once, however many ask.
///
/// Every load ends exactly once. All methods may be called from any thread.
public final class ImageManager: Sendable {
    /// The cache that this manager uses.
    public var cache: any ImageCaching { pipeline.cache }
    let pipeline: Pipeline
    private let configuration: Configuration
    private let running = Mutex(RunningTasks())
    /// Says the same as `running`, for hits in memory, which need nothing else of it.
    private let isShutDown = Atomic(false)

    /// A manager of these parts. The module `Easel` has one with defaults for all.
    public init(configuration: Configuration) {
        pipeline = Pipeline(configuration)
        self.configuration = configuration
    }

    /// Loads a picture. A picture in memory is there before the call returns, in `ImageTask.response` and the events.
    @discardableResult
    public func load(_ request: ImageRequest) -> ImageTask {
        let request = processed(request)
        if let response = hit(request) { return ImageTask(request: request, outcome: .success(response)) }
        let task = ImageTask(request: request, observation: pipeline.observation)
        start(task)
        return task
    }

    /// Begins a load whose picture is not in memory.
    private func start(_ task: ImageTask) {
        let admitted = running.withLock { $0.add(task) }
        guard admitted else { return task.finish(.failure(.invalidated)) }
        let load = pipeline.observation.begin(task.request)
        task.observeEnd { [weak self, pipeline, id = ObjectIdentifier(task)] outcome in
            self?.running.withLock { $0.remove(id) }
            pipeline.observation.end(load, outcome.map(\.summary))
        }
        if task.request.options.contains(.continueInBackground) { configuration.backgroundTime?.cover(task) }
        showPlaceholder(of: task)
        let prefixes = task.request.prefixes
        if !prefixes.isEmpty {
            pipeline.heldPictures.begin(prefixes)
            task.observeEnd { [pipeline] _ in pipeline.heldPictures.end(prefixes) }
        }
        begin(task)
    }

    /// The picture for a request. Cancelling the task that waits cancels the load.
    ///
    /// - Throws: why there is none.
    public func image(for request: ImageRequest) async throws(ImageError) -> DecodedImage {
        // Nobody watches, so that a picture in memory needs no task.
        let request = processed(request)
        if let response = hit(request) { return response.image }
        let task = ImageTask(request: request, observation: pipeline.observation)
        start(task)
        return try await task.response.image
    }

    /// The picture at a URL.
    ///
    /// - Throws: why there is none.
    public func image(for url: URL) async throws(ImageError) -> DecodedImage {
        try await image(for: ImageRequest(url))
    }

    /// The original file, as it came: it is known to be a picture by its first bytes alone. Shares the download with
    /// loads of the picture (B58).
    ///
    /// - Throws: why there is none.
    public func data(
        for request: ImageRequest, progress: @escaping @Sendable (LoadProgress) -> Void = { _ in }
    ) async throws(ImageError) -> LoadedData {
        let request = processed(request)
        let context = LoadContext(priority: request.priority, observation: pipeline.observation) { update in
            if case .progress(let report) = update { progress(report) }
        }
        return try await originalData(request, context)
    }

    /// The original file of a request that has been processed.
    func originalData(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        guard !running.withLock({ $0.isShutDown }) else { throw .invalidated }
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
    public var isRunning: Bool { running.withLock { !$0.tasks.isEmpty } }

    /// What this manager has done so far, and what it is doing.
    public var statistics: ManagerStatistics {
        var statistics = pipeline.observation.statistics
        statistics.memory = cache.memoryStatistics
        return statistics
    }

    /// Cancels every load of this manager (S053).
    public func cancelAll() {
        for task in running.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    /// Cancels every load and refuses new ones with `ImageError.invalidated` (B104). A file that is being loaded alone,
    /// by `data(for:progress:)`, belongs to the Swift task that waits for it, and ends with that.
    public func shutDown() {
        running.withLock { $0.isShutDown = true }
        isShutDown.store(true, ordering: .releasing)
        cancelAll()
        pipeline.refreshes.shutDown()
    }

    /// Returns when no refresh is under way that a load began behind its back (`stale-while-revalidate`, RFC 5861 3). For
    /// programs that end, which would else end them.
    public func finishRefreshes() async {
        await pipeline.refreshes.finish()
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
            !isShutDown.load(ordering: .acquiring)
        else { return nil }
        pipeline.observation.found(response, for: request)
        return response
    }

    private func inMemory(_ request: ImageRequest) -> ImageResponse? {
        let started = ContinuousClock.now
        guard let image = pipeline.pictureInMemory(request) else { return nil }
        var response = ImageResponse(image: image.scaled(request), source: .memory, request: request)
        response.timeline.total = .now - started
        return response
    }

    /// Most loads are work that may be shared, which needs no task to wait for it.
    private func begin(_ task: ImageTask) {
        let request = task.request
        guard !request.refreshes, request.options.isDisjoint(with: [.avoidCoalescing, .queryMemoryData]),
            !request.url.absoluteString.isEmpty
        else {
            return task.start { [self] in task.finish(await outcome(request, task.context)) }
        }
        let started = ContinuousClock.now
        let end = pipeline.picture(request, task.context) { outcome in
            task.finish(
                outcome.map { picture in
                    var response = ImageResponse(picture, request)
                    response.timeline.total = .now - started
                    return response
                })
        }
        task.onCancel(end)
    }

    private func outcome(
        _ request: ImageRequest, _ context: LoadContext
    ) async -> Result<ImageResponse, ImageError> {
        let started = ContinuousClock.now
        do throws(ImageError) {
            var response = try await response(request, context)
            response.timeline.total = .now - started
            return .success(response)
        } catch {
            return .failure(error)
        }
    }

    private func response(
        _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> ImageResponse {
        guard !request.url.absoluteString.isEmpty else { throw .invalidURL("The URL is empty.") }
        if request.refreshes { return try await refreshed(request, context) }
        if var response = inMemory(request) {
            response.data = await data(behind: request)
            return response
        }
        return try await loaded(request, context)
    }

    /// What the cache has first, as an event, and then what the server says to that (R002, S081): the same picture where
    /// it is still current, without a new decode (S096).
    private func refreshed(
        _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> ImageResponse {
        var cacheOnly = request.adding(.fromCacheOnly)
        cacheOnly.options.remove(.refreshCached)
        var shown: ImageResponse?
        do throws(ImageError) {
            let response = try await response(cacheOnly, context)
            context.report(.cached(response))
            shown = response
        } catch {
            if case .cancelled = error { throw error }
        }
        guard let shown else { return try await loaded(request, context) }
        // What is shown is better than any preview (S092).
        return try await context.relaying(allowsPreviews: false, { context.report($0) }) { context throws(ImageError) in
            do throws(ImageError) {
                return try await loaded(request, shown: shown, context)
            } catch {
                // Nobody may be asked about it (S069).
                if case .notCached = error { return shown }
                throw error
            }
        }
    }

    private func loaded(
        _ request: ImageRequest, shown: ImageResponse? = nil, _ context: LoadContext
    ) async throws(ImageError) -> ImageResponse {
        let shown = shown.map { Pipeline.Picture(image: $0.image, source: $0.source, data: $0.data) }
        return ImageResponse(try await pipeline.picture(request, shown: shown, context), request)
    }

    private func data(behind request: ImageRequest) async -> Data? {
        guard request.options.contains(.queryMemoryData) else { return nil }
        return try? await pipeline.fileCache(of: request).data(for: request.originalKey)
    }
}

extension ImageResponse {
    fileprivate init(_ picture: Pipeline.Picture, _ request: ImageRequest) {
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

    /// Whether the server is to be asked about what is kept.
    fileprivate var refreshes: Bool { options.contains(.refreshCached) && http.policy != .offline }

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

/// The loads of one manager that have not ended.
private struct RunningTasks {
    var tasks: [ObjectIdentifier: ImageTask] = [:]
    var isShutDown = false

    /// Returns whether it may run.
    mutating func add(_ task: ImageTask) -> Bool {
        guard !isShutDown else { return false }
        tasks[ObjectIdentifier(task)] = task
        return true
    }

    mutating func remove(_ id: ObjectIdentifier) {
        tasks[id] = nil
    }
}
