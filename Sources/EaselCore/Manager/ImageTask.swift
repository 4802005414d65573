import Synchronization

/// One load, which can be watched, hurried and cancelled. Dropping it does not cancel the load.
public final class ImageTask: Sendable {
    /// What was asked for.
    public let request: ImageRequest
    private let observation: Observation?
    private let state: Mutex<TaskState>
    private let ending = Mutex<(@Sendable () -> Void)?>(nil)
    private let madeContext = Mutex<LoadContext?>(nil)

    /// - Parameter outcome: of a load that has ended already.
    init(
        request: ImageRequest, observation: Observation? = nil, outcome: Result<ImageResponse, ImageError>? = nil
    ) {
        self.request = request
        self.observation = observation
        state = Mutex(TaskState(outcome: outcome))
    }

    /// What the load is told and tells: made when it is asked for, as a picture in memory needs none.
    var context: LoadContext {
        madeContext.withLock { made in
            if let made { return made }
            let relay = TaskRelay()
            relay.connect(to: self)
            let context = LoadContext(demand: request.demand, observation: observation) { relay.deliver($0) }
            made = context
            return context
        }
    }

    /// How urgent the load is; setting it reaches the work at once, also where it is shared (B60).
    public var priority: LoadPriority {
        get { context.priority }
        set { context.setPriority(newValue) }
    }

    /// Ends the load with `ImageError.cancelled`, at once. Work that others wait for goes on (S164). Twice is harmless, and after the end
    /// it changes nothing (B101).
    public func cancel() {
        finish(.failure(.cancelled))
        ending.withLock { $0 }?()
    }

    /// How the load ended, where it has.
    var currentOutcome: Result<ImageResponse, ImageError>? { state.withLock { $0.outcome } }

    /// What memory had of it, where that was all.
    var responseFromMemory: ImageResponse? {
        guard case .success(let response) = currentOutcome, response.source == .memory else { return nil }
        return response
    }

    /// Whether a server has been asked for it.
    var isAsked: Bool { state.withLock { $0.isAsked } }

    /// Whether `cancel()` ended the load; true as soon as it returns (B101).
    public var isCancelled: Bool {
        if case .failure(.cancelled) = state.withLock({ $0.outcome }) { true } else { false }
    }

    /// A stream of its own for each who asks: it begins with what the load has reached, the end included, and ends behind `.finished` (B102).
    public var events: AsyncStream<LoadEvent> {
        AsyncStream { continuation in
            let observer: TaskState.Observer = { event in
                continuation.yield(event)
                if case .finished = event { continuation.finish() }
            }
            let number = update { $0.add(observer) }
            continuation.onTermination = { [weak self] termination in
                if case .cancelled = termination { self?.update { $0.remove(number) } }
            }
        }
    }

    /// The end of the load. Cancelling the task that waits cancels the load (B103).
    public var response: ImageResponse {
        get async throws(ImageError) {
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

    func deliver(_ update: LoadUpdate) {
        let event: LoadEvent? =
            switch update {
            case .progress(let progress): .progress(progress)
            case .cached(let response): .cached(response)
            case .preview(let image):
                .preview(ImageResponse(image: image.scaled(request), source: .network, request: request))
            case .asked, .arriving: nil
            }
        if case .asked = update { state.withLock { $0.isAsked = true } }
        if let event { self.update { $0.take(event) } }
    }

    /// Shows what stands in for the picture, unless the load has shown one of its own or has ended.
    func show(placeholder response: ImageResponse) {
        update { $0.take(placeholder: response) }
    }

    /// Ends the load, unless it has ended.
    func finish(_ outcome: Result<ImageResponse, ImageError>) {
        update { $0.take(.finished(outcome)) }
    }

    /// Changes the state and tells those who watch, outside the lock. Whoever is told may resume a task, and Swift runs
    /// a task's cancellation handlers under a lock of its own, which resuming takes too: `cancel()` from such a handler
    /// and a delivery under our lock would wait for each other for ever.
    private func update<Value: Sendable>(_ change: (inout TaskState) -> Value) -> Value {
        let (value, delivers) = state.withLock { state in
            let value = change(&state)
            return (value, state.beginDelivering())
        }
        if delivers {
            while let delivery = state.withLock({ $0.nextDelivery() }) { delivery.observer(delivery.event) }
        }
        return value
    }

    /// Runs `body`, which ends the load, until it is cancelled.
    func start(_ body: @escaping @Sendable () async -> Void) {
        let running = Task { await body() }
        onCancel { running.cancel() }
    }

    /// Lets `cancel()` end the work too.
    func onCancel(_ end: @escaping @Sendable () -> Void) {
        ending.withLock { $0 = end }
        if isCancelled { end() }
    }
}

/// Breaks the circle between a task and the context that reports to it: work that goes on for others must not keep a
/// task that nobody watches.
private final class TaskRelay: Sendable {
    private struct Target {
        weak var task: ImageTask?
    }

    private let target = Mutex(Target())

    func connect(to task: ImageTask) {
        target.withLock { $0.task = task }
    }

    func deliver(_ update: LoadUpdate) {
        target.withLock { $0.task }?.deliver(update)
    }
}
