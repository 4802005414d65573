public import EaselFoundation
import Synchronization

/// One load. It can be observed, reprioritised and cancelled. Releasing it does not cancel the load.
public final class ImageTask: Sendable {
    /// The request, as the manager's configuration has changed it.
    public let request: ImageRequest
    private let started: ContinuousClock.Instant?
    private let state: Mutex<TaskState>
    private let work: Mutex<Work>

    /// The resources of the load until its end.
    private struct Work {
        /// The manager's loads; `nil` after the end, so that a retained task retains nothing else.
        var running: RunningTasks?
        var subscription: Coalescer<WorkKey, LoadedImage>.Subscription?
        var priority: LoadPriority?
    }

    /// Creates a load that has not begun. Without `running` it belongs to no manager.
    init(_ request: ImageRequest, in running: RunningTasks? = nil) {
        self.request = request
        started = .now
        state = Mutex(TaskState())
        work = Mutex(Work(running: running))
    }

    /// Creates a load that memory has answered.
    init(found response: ImageResponse) {
        request = response.request
        started = nil
        state = Mutex(TaskState(found: response))
        work = Mutex(Work())
    }

    // MARK: - Control

    /// The priority of the load. A change reaches the operation at once, also if it is shared.
    public var priority: LoadPriority {
        get { demand.priority }
        set {
            let subscription = work.withLock { work in
                work.priority = newValue
                return work.subscription
            }
            subscription?.demandDidChange()
        }
    }

    /// Ends the load at once with `ImageError.cancelled`. Operations that other loads need continue. Has no effect
    /// after the end.
    public func cancel() {
        conclude(.failure(.cancelled))
        work.withLock { $0.subscription }?.cancel()
        release()
    }

    /// Cancels the load unless its request has been sent. Otherwise it continues for the caches, with the priority of a
    /// prefetch.
    package func cancelUnlessRequested() {
        if state.withLock({ $0.refuseRequest() }) { cancel() } else { priority = .low }
    }

    /// Cancels several loads. The cancellation of one does not start another.
    static func cancel(_ tasks: [ImageTask], of pipeline: LoadPipeline) {
        for task in tasks { task.conclude(.failure(.cancelled)) }
        pipeline.images.cancel(tasks.compactMap { task in task.work.withLock { $0.subscription } })
        for task in tasks { task.release() }
    }

    /// Subscribes to the operation.
    func begin() {
        guard let running = work.withLock({ $0.running }) else { return }
        // A task can be cancelled before it begins. No operation runs for it then.
        if let outcome = state.withLock({ $0.claimedOutcome }) {
            running.end(self, outcome)
            return work.withLock { $0.running = nil }
        }
        let key = request.isShareable ? WorkKey.load(request) : .exclusive(request, self)
        let subscription = running.pipeline.images.subscribe(self, to: key)
        work.withLock { $0.subscription = subscription }
        // The priority may have changed, or the load ended, meanwhile.
        subscription.demandDidChange()
        if currentOutcome != nil {
            subscription.cancel()
            release()
        }
    }

    /// Releases the resources of the load, once it has a subscription; until then it may still become the leader.
    private func release() {
        let released = work.withLock { work -> Work? in
            work.subscription == nil ? nil : exchange(&work, with: Work(priority: work.priority))
        }
        withExtendedLifetime(released) {}
    }

    // MARK: - Observation

    /// The outcome, if the load has ended.
    var currentOutcome: Result<ImageResponse, ImageError>? { state.withLock { $0.outcome } }

    /// The response, if it comes from memory.
    package var responseFromMemory: ImageResponse? {
        guard case .success(let response) = currentOutcome, response.source == .memory else { return nil }
        return response
    }

    /// Whether the load was cancelled. `true` as soon as `cancel()` returns.
    public var isCancelled: Bool {
        state.withLock { if case .failure(let error) = $0.claimedOutcome { error.code == .cancelled } else { false } }
    }

    /// The events of the load. Each call returns a separate stream, which begins with the current state and ends after
    /// `.finished`.
    ///
    /// A slow reader receives only the latest preview.
    public var events: AsyncStream<LoadEvent> {
        let stream = LoadEventStream()
        let number = update { $0.addObserver { [weak stream] in stream?.append($0) } }
        return AsyncStream {
            await stream.next()
        } onCancel: { [weak self] in
            self?.update { $0.removeObserver(number) }
            stream.close()
        }
    }

    /// The response. Cancelling the task that waits for it cancels the load.
    public var response: ImageResponse {
        get async throws(ImageError) {
            if let currentOutcome { return try currentOutcome.get() }
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    observeEnd { continuation.resume(returning: $0) }
                }
            } onCancel: {
                cancel()
            }
            return try outcome.get()
        }
    }

    /// Calls `body` once with the outcome.
    func observeEnd(_ body: @escaping @Sendable (Result<ImageResponse, ImageError>) -> Void) {
        observe { event in
            if case .finished(let outcome) = event { body(outcome) }
        }
    }

    /// Calls `observer` with the current state and with each event, in order. It must not block.
    package func observe(_ observer: @escaping @Sendable (LoadEvent) -> Void) {
        _ = update { $0.addObserver(observer) }
    }

    // MARK: - Events

    /// Delivers a placeholder, unless the load has delivered an image or has ended.
    func deliver(placeholder image: DecodedImage) {
        update { $0.receive(placeholder: ImageResponse(image: image, source: .memory, request: request)) }
    }

    /// Delivers the request's preview, unless the load has delivered an image or has ended.
    func deliver(preview image: DecodedImage, from url: URL) {
        var image = image
        image.alternative = url
        update { [image] in $0.receive(preview: ImageResponse(image: image, source: .memory, request: request)) }
    }

    private func receive(_ event: LoadEvent) { update { $0.receive(event) } }

    /// Ends the load, unless it has ended.
    func finish(_ outcome: Result<ImageResponse, ImageError>) {
        conclude(outcome)
        release()
    }

    private func conclude(_ outcome: Result<ImageResponse, ImageError>) {
        // Read first: a caller that loses the claim may release the load at once.
        let running = work.withLock { $0.running }
        guard let end = state.withLock({ $0.claimEnd(with: outcome) }) else { return }
        // Before there is an outcome: a caller that receives it may query the manager at once.
        running?.end(self, outcome)
        receive(end)
    }

    /// Changes the state, and delivers events outside of the lock. An observer may resume a task, and Swift runs
    /// cancellation handlers under a lock that resuming takes too: with `cancel()` in such a handler, two locks would
    /// be taken in both orders.
    private func update<Value: Sendable>(_ change: (inout TaskState) -> Value) -> Value {
        let (value, delivers) = state.withLock { state in
            let value = change(&state)
            return (value, state.beginDelivering())
        }
        guard delivers else { return value }
        while let delivery = state.withLock({ $0.nextDelivery() }) { delivery.observer(delivery.event) }
        return value
    }
}

extension ImageTask: Subscriber {
    var demand: LoadDemand {
        var demand = request.demand
        if let priority = work.withLock({ $0.priority }) { demand.priority = priority }
        return demand
    }

    var observation: Observation? { work.withLock { $0.running }?.pipeline.observation }

    var operation: Coalescer<WorkKey, LoadedImage>.Operation {
        guard let pipeline = work.withLock({ $0.running })?.pipeline else {
            return { _ throws(ImageError) in throw .invalidated }
        }
        return pipeline.operation(for: request)
    }

    func willSendRequest() -> Bool { state.withLock { $0.willSendRequest() } }

    func didReceive(_ update: LoadUpdate) {
        switch update {
        case .progress(let progress): receive(.progress(progress))
        case .cached(let response): receive(.cached(response))
        case .preview(let image):
            receive(.preview(ImageResponse(image: image.scaled(request), source: .network, request: request)))
        case .arriving: break
        }
    }

    func didFinish(_ outcome: consuming Result<Coalesced<LoadedImage>, ImageError>) {
        let response = (consume outcome).map { result in
            var response = ImageResponse(result.countedOnce.value, request)
            response.timeline.total = started.map { .now - $0 }
            return response
        }
        finish(response)
    }
}

/// The loads of one manager that have not ended.
final class RunningTasks: Sendable {
    let pipeline: LoadPipeline
    private let loads = Mutex<[ObjectIdentifier: (task: ImageTask, observed: ObservedLoad)]>([:])
    private let isClosed = Atomic(false)

    init(_ pipeline: LoadPipeline) { self.pipeline = pipeline }

    var isEmpty: Bool { loads.withLock { $0.isEmpty } }
    var isShutDown: Bool { isClosed.load(ordering: .acquiring) }
    var all: [ImageTask] { loads.withLock { $0.values.map(\.task) } }

    /// Adds a load. Returns `false` after `shutDown()`.
    func begin(_ task: ImageTask) -> Bool {
        guard !isShutDown else { return false }
        let observed = pipeline.observation.begin(task.request)
        let isAdmitted = loads.withLock { loads in
            if !isShutDown { loads[ObjectIdentifier(task)] = (task, observed) }
            return !isShutDown
        }
        if !isAdmitted { pipeline.observation.end(observed, .failure(.invalidated)) }
        return isAdmitted
    }

    /// Removes a load.
    func end(_ task: ImageTask, _ outcome: Result<ImageResponse, ImageError>) {
        guard let load = loads.withLock({ $0.removeValue(forKey: ObjectIdentifier(task)) }) else { return }
        pipeline.observation.end(load.observed, outcome.map(\.summary))
    }

    /// Admits no more loads.
    func shutDown() { loads.withLock { _ in isClosed.store(true, ordering: .releasing) } }
}

/// The result of a load.
public struct ImageResponse: Sendable {
    /// The image.
    public var image: DecodedImage
    /// The source of the image.
    public var source: ImageSource
    /// The bytes of the original file, if the load had them; `nil` for an image from memory, except with
    /// `LoadOptions.queryMemoryData`.
    public var data: Data?
    /// The request.
    public var request: ImageRequest
    /// The duration of each stage.
    public var timeline = LoadTimeline()
    /// The permission of a `PreparedDecoding` to hold the pixels.
    package var permit: (any AnyObject & Sendable)?

    /// The URL that the image comes from: that of the request, of one of its alternatives, or of the smaller image.
    public var url: URL { image.alternative ?? request.url }
}

/// An event of a load. The last one is `finished`, and there is exactly one.
public enum LoadEvent: Sendable {
    /// Bytes have arrived.
    case progress(LoadProgress)
    /// The cached image, while `LoadOptions.refreshCached` revalidates it.
    indirect case cached(ImageResponse)
    /// An image of less detail than the final one, or the request's placeholder (`ImageMetadata.isPlaceholder`).
    indirect case preview(ImageResponse)
    /// The end of the load.
    indirect case finished(Result<ImageResponse, ImageError>)
}

extension ImageResponse {
    init(_ loaded: LoadedImage, _ request: ImageRequest) {
        self.init(
            image: loaded.image.scaled(request), source: loaded.source, data: loaded.data, request: request,
            timeline: loaded.timeline, permit: loaded.permit)
    }
}

extension DecodedImage {
    /// The same pixels with the scale of a request.
    func scaled(_ request: ImageRequest) -> DecodedImage {
        var image = self
        image.scale = request.resultScale
        return image
    }
}
