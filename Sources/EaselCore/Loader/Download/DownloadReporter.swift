import EaselFoundation
import Synchronization

/// An object that reports a download to the manager's observer.
final class DownloadReporter: Sendable {
    private let id: UInt64
    private let request: ImageRequest
    private let hasStarted = Atomic(false)
    let observation: Observation?

    init(_ id: UInt64, _ request: ImageRequest, _ observation: Observation?) {
        self.id = id
        self.request = request
        self.observation = observation
    }

    /// Reports the start of the first attempt.
    func start() {
        if !hasStarted.exchange(true, ordering: .relaxed) { report(.started) }
    }

    func report(_ event: @autoclosure () -> DownloadNotification.Event) {
        guard let observation, observation.hasObserver else { return }
        observation.notify(DownloadNotification(id: id, request: request, event: event()))
    }

    /// Reports the end, if the download has started.
    func end(_ outcome: Result<LoadedData, ImageError>) {
        guard hasStarted.load(ordering: .relaxed) else { return }
        switch outcome {
        case .success(let loaded): report(.finished(bytes: loaded.data.count))
        case .failure(let error): report(.stopped(error))
        }
    }

    /// Runs `body` as a stage of the load.
    func runStage<Value>(
        _ stage: LoadStage, _ body: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        guard let observation, observation.hasObserver else { return try await body() }
        return try await observation.runStage(stage, request, body)
    }
}
