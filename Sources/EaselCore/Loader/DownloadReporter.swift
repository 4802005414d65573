import EaselFoundation
import Synchronization

/// Those who listen to a downloader's news.
final class DownloadListeners: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<DownloadNotification>.Continuation] = [:]
        var nextListener = 0
        var nextDownload: UInt64 = 0
    }

    private let state = Mutex(State())
    /// A listener who falls behind this far misses the oldest: memory has to have a bound.
    static let mostWaiting = 1024

    /// A stream for one more listener.
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

    /// Whether anybody listens now.
    var isAnybodyThere: Bool { state.withLock { !$0.continuations.isEmpty } }

    /// A number for one more download.
    func nextDownload() -> UInt64 {
        state.withLock { state in
            state.nextDownload += 1
            return state.nextDownload
        }
    }

    func yield(_ notification: DownloadNotification) {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(notification) }
    }

    deinit {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
    }
}

/// Tells what happens to one download: the manager's observer, and whoever listens to the downloader.
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

    /// It has its place; only the first attempt's counts.
    func start() {
        if !hasStarted.exchange(true, ordering: .relaxed) { report(.started) }
    }

    /// Not inlined, here and where attempts begin and ask: an event is large, and who listens to none need not have room for it.
    @inline(never)
    func report(_ event: @autoclosure () -> DownloadNotification.Event) {
        guard observation?.hasObserver == true || listeners.isAnybodyThere else { return }
        let notification = DownloadNotification(id: id, request: request, event: event())
        observation?.notify(notification)
        listeners.yield(notification)
    }

    /// It has ended, if it ever began.
    func end(_ outcome: Result<LoadedData, ImageError>) {
        guard hasStarted.load(ordering: .relaxed) else { return }
        switch outcome {
        case .success(let loaded): report(.finished(bytes: loaded.data.count))
        case .failure(let error): report(.stopped(error))
        }
    }
}

extension DownloadReporter {
    /// The head of an answer, waited for as a stage.
    func sending(
        _ question: HTTPRequest, over transport: any HTTPTransport
    ) async throws(ImageError) -> HTTPResponse {
        observation?.didSendRequest()
        let response = try await during(.firstByte) { () async throws(ImageError) in
            try await transport.send(question)
        }
        report(.responded(status: response.status, headers: response.headers, connect: response.connectTime))
        return response
    }

    /// The body of an answer, read as a stage.
    func receiving(_ body: () async throws(ImageError) -> Data) async throws(ImageError) -> Data {
        try await during(.transfer, body)
    }

    private func during<Value>(
        _ stage: LoadStage, _ body: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        guard let observation, observation.hasObserver else { return try await body() }
        return try await observation.during(stage, request, body)
    }
}
