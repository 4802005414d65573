import Synchronization

/// The statistics of a manager, and its observers.
final class Observation: Sendable {
    private let observers: [any ImageObserver]
    private let lastNumber = Atomic<UInt64>(0)
    private let counts = Mutex(ManagerStatistics())

    init(_ observers: [any ImageObserver]) { self.observers = observers }

    var statistics: ManagerStatistics { counts.withLock { $0 } }
    var hasObserver: Bool { !observers.isEmpty }

    func warn(_ warning: ImageWarning) {
        for observer in observers { observer.didReceive(warning) }
    }

    func begin(_ request: ImageRequest) -> ObservedLoad {
        counts.withLock { $0.inFlight += 1 }
        let load = ObservedLoad(id: nextNumber(), request: request)
        for observer in observers { observer.didBegin(load) }
        return load
    }

    func end(_ load: ObservedLoad, _ outcome: Result<LoadSummary, ImageError>) {
        counts.withLock { counts in
            counts.inFlight -= 1
            switch outcome {
            case .success(let summary):
                switch summary.source {
                case .memory: counts.memoryHits += 1
                case .disk: counts.diskHits += 1
                case .network, .file, .data: counts.misses += 1
                }
                if summary.timeline.isCoalesced { counts.coalesced += 1 }
            case .failure(let error) where error.code == .cancelled: counts.cancellations += 1
            case .failure: counts.failures += 1
            }
        }
        for observer in observers { observer.didEnd(load, with: outcome) }
    }

    /// Begins and ends a load that memory answers.
    func didFind(_ response: ImageResponse, for request: ImageRequest) {
        guard observers.isEmpty else { return end(begin(request), .success(response.summary)) }
        counts.withLock { $0.memoryHits += 1 }
    }

    func begin(_ stage: LoadStage, _ request: ImageRequest) -> StageSpan {
        let span = StageSpan(ObservedStage(id: nextNumber(), stage: stage, request: request), of: self)
        for observer in observers { observer.didBegin(span.stage) }
        return span
    }

    /// Runs `body` as a stage.
    func runStage<Value>(
        _ stage: LoadStage, _ request: ImageRequest, _ body: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let span = begin(stage, request)
        do throws(ImageError) {
            let value = try await body()
            span.end()
            return value
        } catch {
            span.end(.failed(error))
            throw error
        }
    }

    fileprivate func end(_ span: StageSpan, _ outcome: StageOutcome) {
        if outcome == .done {
            counts.withLock { counts in
                switch span.stage.stage {
                case .decode: counts.decodes += 1
                case .transform: counts.transforms += 1
                case .store: counts.stores += 1
                case .queued, .disk, .firstByte, .transfer: break
                }
            }
        }
        let duration = ContinuousClock.now - span.started
        for observer in observers { observer.didEnd(span.stage, after: duration, with: outcome) }
    }

    func didSendRequest() { counts.withLock { $0.requests += 1 } }

    func didReceive(_ bytes: Int) { counts.withLock { $0.bytesReceived += bytes } }

    func notify(_ notification: DownloadNotification) {
        for observer in observers { observer.didReceive(notification) }
    }

    private func nextNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }
}

/// A stage in progress. Only its first end counts.
final class StageSpan: Sendable {
    fileprivate let stage: ObservedStage
    fileprivate let started = ContinuousClock.now
    private let observation: Observation
    private let claim = Claim()

    fileprivate init(_ stage: ObservedStage, of observation: Observation) {
        self.stage = stage
        self.observation = observation
    }

    func end(_ outcome: StageOutcome = .done) {
        if claim.take() { observation.end(self, outcome) }
    }
}
