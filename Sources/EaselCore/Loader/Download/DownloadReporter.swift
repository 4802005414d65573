import EaselFoundation
import Synchronization

/// The listeners of a downloader's notifications.
final class DownloadListeners: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<DownloadNotification>.Continuation] = [:]
        var nextListener = 0
        var nextDownload: UInt64 = 0
    }

    private let state = Mutex(State())
    /// The bound of a stream: a slow listener misses the oldest notifications.
    static let mostWaiting = 1024

    deinit {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
    }

    var isEmpty: Bool { state.withLock { $0.continuations.isEmpty } }

    /// A stream for another listener.
    func stream() -> AsyncStream<DownloadNotification> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting)) { continuation in
            let number = state.withLock { state in
                defer { state.nextListener += 1 }
                state.continuations[state.nextListener] = continuation
                return state.nextListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.continuations.removeValue(forKey: number) }
            }
        }
    }

    /// A new download's number.
    func nextDownload() -> UInt64 {
        state.withLock { state in
            state.nextDownload += 1
            return state.nextDownload
        }
    }

    func yield(_ notification: DownloadNotification) {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(notification) }
    }
}

/// Reports one download to the manager's observer and the downloader's listeners.
final class DownloadReporter: Sendable {
    private let id: UInt64
    private let request: ImageRequest
    private let listeners: DownloadListeners
    private let hasStarted = Atomic(false)
    let observation: Observation?

    init(_ request: ImageRequest, _ listeners: DownloadListeners, _ observation: Observation?) {
        id = listeners.nextDownload()
        self.request = request
        self.listeners = listeners
        self.observation = observation
    }

    /// Reports the start; only the first attempt's counts.
    func start() {
        if !hasStarted.exchange(true, ordering: .relaxed) { report(.started) }
    }

    func report(_ event: @autoclosure () -> DownloadNotification.Event) {
        guard observation?.hasObserver == true || !listeners.isEmpty else { return }
        let notification = DownloadNotification(id: id, request: request, event: event())
        observation?.notify(notification)
        listeners.yield(notification)
    }

    /// Reports the end of a download that started.
    func end(_ outcome: Result<LoadedData, ImageError>) {
        guard hasStarted.load(ordering: .relaxed) else { return }
        switch outcome {
        case .success(let loaded): report(.finished(bytes: loaded.data.count))
        case .failure(let error): report(.stopped(error))
        }
    }

    /// Runs `body` as a stage of the load.
    func during<Value>(
        _ stage: LoadStage, _ body: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        guard let observation, observation.hasObserver else { return try await body() }
        return try await observation.during(stage, request, body)
    }
}
