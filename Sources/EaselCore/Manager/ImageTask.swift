import Synchronization

/// One load, which can be watched, hurried and cancelled. Dropping it does not cancel the load.
public final class ImageTask: Sendable {
    /// What was asked for.
    public let request: ImageRequest
    /// What memory had, where that was all of the load: the state is told only where somebody asks it.
    private let found: ImageResponse?
    private let state: Mutex<TaskState>
    let work: Mutex<Work>

    /// Who does the work of a load, and what is wanted of it.
    struct Work {
        enum Place {
            case nowhere
            case task(Task<Void, Never>, LoadContext)
            /// Under way or in line, shared with others.
            case shared(Sharing<ImageRequest, Pipeline.Picture>, subscriber: Int)
        }

        /// Whose load it is; `nil` when it has ended, so that a task that somebody keeps keeps nothing else.
        var running: RunningTasks?
        var place = Place.nowhere
        var priority: LoadPriority?
        var started: ContinuousClock.Instant?
    }

    /// A load that is about to begin; without `running`, one that no manager knows of.
    init(_ request: ImageRequest, in running: RunningTasks? = nil) {
        self.request = request
        work = Mutex(Work(running: running))
        found = nil
        state = Mutex(TaskState())
    }

    /// A load that has ended.
    init(found response: ImageResponse) {
        request = response.request
        work = Mutex(Work())
        found = response
        state = Mutex(TaskState())
    }

    /// How urgent the load is; setting it reaches the work at once, also where it is shared (B60).
    public var priority: LoadPriority {
        get { demand.priority }
        set {
            let place = work.withLock { work in
                work.priority = newValue
                return work.place
            }
            hurry(place)
        }
    }

    /// Ends the load with `ImageError.cancelled`, at once. Work that others wait for goes on (S164). Twice is harmless, and after the end
    /// it changes nothing (B101).
    public func cancel() {
        conclude(.failure(.cancelled))
        leave(work.withLock { $0.place })
        release()
    }

    /// Cancels the load, unless a server has been asked: then it goes on for the caches, and as a prefetch.
    func cancelUnlessAsked() {
        if state.withLock({ $0.refuseToAsk() }) { cancel() } else { priority = .low }
    }

    /// Ends all of these loads. None of them begins because another has left the line before it.
    static func cancel(_ tasks: [ImageTask], of pipeline: Pipeline) {
        var subscribers: [Int] = []
        for task in tasks {
            task.conclude(.failure(.cancelled))
            let place = task.work.withLock { $0.place }
            if case .shared(_, let subscriber) = place { subscribers.append(subscriber) } else { task.leave(place) }
        }
        pipeline.loads.leave(subscribers)
        for task in tasks { task.release() }
    }

    /// How the load ended, where it has.
    var currentOutcome: Result<ImageResponse, ImageError>? {
        if let found { return .success(found) }
        return state.withLock { $0.outcome }
    }

    /// What memory had of it, where that was all.
    var responseFromMemory: ImageResponse? {
        guard case .success(let response) = currentOutcome, response.source == .memory else { return nil }
        return response
    }

    /// Whether `cancel()` ended the load; true as soon as it returns (B101).
    public var isCancelled: Bool {
        if case .failure(.cancelled) = state.withLock({ $0.claimedOutcome }) { true } else { false }
    }

    /// A stream of its own for each who asks: it begins with what the load has reached, the end included, and ends behind `.finished` (B102).
    ///
    /// A slow reader gets only the newest of the previews that have come meanwhile.
    public var events: AsyncStream<LoadEvent> {
        let stream = LoadEventStream()
        let number = update { $0.add { [weak stream] in stream?.put($0) } }
        return AsyncStream {
            await stream.next()
        } onCancel: { [weak self] in
            self?.update { $0.remove(number) }
            stream.close()
        }
    }

    /// The end of the load. Cancelling the task that waits cancels the load (B103).
    public var response: ImageResponse {
        get async throws(ImageError) {
            if let found { return found }
            if let outcome = currentOutcome { return try outcome.get() }
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

    /// Calls `body` once with the outcome, at once where there is one already.
    func observeEnd(_ body: @escaping @Sendable (Result<ImageResponse, ImageError>) -> Void) {
        observe { event in
            if case .finished(let outcome) = event { body(outcome) }
        }
    }

    /// Calls `observer` with what the load has reached and with what comes, in order. It must not block.
    func observe(_ observer: @escaping TaskState.Observer) {
        _ = update { $0.add(observer) }
    }

    /// A server is about to be asked, unless the load has ended.
    func mayAsk() -> Bool { state.withLock { $0.ask() } }

    func deliver(_ update: LoadUpdate) {
        let event: LoadEvent? =
            switch update {
            case .progress(let progress): .progress(progress)
            case .cached(let response): .cached(response)
            case .preview(let image):
                .preview(ImageResponse(image: image.scaled(request), source: .network, request: request))
            case .arriving: nil
            }
        if let event { self.update { $0.take(event) } }
    }

    /// Shows what stands in for the picture, unless the load has shown one of its own or has ended.
    func show(placeholder response: ImageResponse) {
        update { $0.take(placeholder: response) }
    }

    /// Ends the load, unless it has ended.
    func finish(_ outcome: Result<ImageResponse, ImageError>) {
        conclude(outcome)
        release()
    }

    private func conclude(_ outcome: Result<ImageResponse, ImageError>) {
        // Before the end is claimed: a caller that comes too late to claim it may release the load right away.
        let running = work.withLock { $0.running }
        guard found == nil, state.withLock({ $0.claimEnd(with: outcome) }) else { return }
        // Before there is an outcome: a caller that gets it may ask the manager, and what observes it, at once.
        running?.end(self, outcome)
        update { $0.take(.finished(outcome)) }
    }

    /// Changes the state and tells those who watch, outside the lock. Whoever is told may resume a task, and Swift runs
    /// a task's cancellation handlers under a lock of its own, which resuming takes too: `cancel()` from such a handler
    /// and a delivery under our lock would wait for each other for ever.
    private func update<Value: Sendable>(_ change: (inout TaskState) -> Value) -> Value {
        let (value, delivers) = state.withLock { state in
            if let found { state.take(.finished(.success(found))) }
            let value = change(&state)
            return (value, state.beginDelivering())
        }
        if delivers { tell() }
        return value
    }

    private func tell() {
        while let delivery = state.withLock({ $0.nextDelivery() }) { delivery.observer(delivery.event) }
    }
}
