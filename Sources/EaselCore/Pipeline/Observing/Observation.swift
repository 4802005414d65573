import Synchronization

/// Counts what a manager does, and calls its observer.
final class Observation: Sendable {
    private let observer: (any ImageObserver)?
    private let lastNumber = Atomic<UInt64>(0)
    private let counts = Mutex(ManagerStatistics())

    init(_ observer: (any ImageObserver)?) { self.observer = observer }

    /// The current counts.
    var statistics: ManagerStatistics { counts.withLock { $0 } }

    var hasObserver: Bool { observer != nil }

    func warn(_ warning: ImageWarning) { observer?.imageManager(didWarn: warning) }

    // MARK: - Loads

    /// Begins a load. Returns `nil` without an observer.
    func begin(_ request: ImageRequest) -> ObservedLoad? {
        counts.withLock { $0.inFlight += 1 }
        guard let observer else { return nil }
        let load = ObservedLoad(id: nextNumber(), request: request)
        observer.imageManager(didBegin: load)
        return load
    }

    func end(_ load: ObservedLoad?, _ outcome: Result<LoadSummary, ImageError>) {
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
            case .failure(.cancelled): counts.cancellations += 1
            case .failure: counts.failures += 1
            }
        }
        if let load { observer?.imageManager(didEnd: load, with: outcome) }
    }

    /// Begins and ends a load that memory answers.
    func found(_ response: ImageResponse, for request: ImageRequest) {
        guard observer == nil else { return end(begin(request), .success(response.summary)) }
        counts.withLock { $0.memoryHits += 1 }
    }

    // MARK: - Stages

    func begin(_ stage: LoadStage, _ request: ImageRequest) -> StageSpan {
        guard let observer else { return StageSpan(observation: self, stage: stage, observed: nil) }
        let observed = ObservedStage(id: nextNumber(), stage: stage, request: request)
        observer.imageManager(didBegin: observed)
        return StageSpan(observation: self, stage: stage, observed: ObservedSpan(observed))
    }

    /// Runs `body` as a stage.
    func during<Value>(
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
                switch span.stage {
                case .decode: counts.decodes += 1
                case .transform: counts.transforms += 1
                case .store: counts.stores += 1
                case .queued, .disk, .firstByte, .transfer: break
                }
            }
        }
        guard let observed = span.observed, observed.end.take() else { return }
        observer?.imageManager(didEnd: observed.stage, after: .now - observed.started, with: outcome)
    }

    // MARK: - Downloads

    func didSendRequest() { counts.withLock { $0.requests += 1 } }

    func didReceive(_ bytes: Int) { counts.withLock { $0.bytesReceived += bytes } }

    func notify(_ notification: DownloadNotification) { observer?.imageManager(didHear: notification) }

    private func nextNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }
}

/// A stage in progress. Only its first end counts for an observer.
struct StageSpan: Sendable {
    fileprivate let observation: Observation
    fileprivate let stage: LoadStage
    fileprivate let observed: ObservedSpan?

    func end(_ outcome: StageOutcome = .done) { observation.end(self, outcome) }
}

/// A stage whose end an observer receives.
private final class ObservedSpan: Sendable {
    let stage: ObservedStage
    let started = ContinuousClock.now
    /// Taken by the first end.
    let end = Claim()

    init(_ stage: ObservedStage) { self.stage = stage }
}
