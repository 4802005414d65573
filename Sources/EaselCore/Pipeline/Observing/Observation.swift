import Synchronization

/// Counts what a manager does, and tells its observer.
///
/// Without an observer a stage costs one addition and a load three, or one where memory has the picture.
final class Observation: Sendable {
    private let observer: (any ImageObserver)?
    private let numbers = Atomic<UInt64>(0)

    private let inFlight = Atomic(0)
    private let memoryHits = Atomic(0)
    private let diskHits = Atomic(0)
    private let misses = Atomic(0)
    private let coalesced = Atomic(0)
    private let failures = Atomic(0)
    private let cancellations = Atomic(0)
    private let requests = Atomic(0)
    private let bytesReceived = Atomic(0)
    private let decodes = Atomic(0)
    private let transforms = Atomic(0)
    private let stores = Atomic(0)

    init(_ observer: (any ImageObserver)?) {
        self.observer = observer
    }

    /// The counts now.
    var statistics: ManagerStatistics {
        var statistics = ManagerStatistics()
        statistics.inFlight = inFlight.load(ordering: .relaxed)
        statistics.memoryHits = memoryHits.load(ordering: .relaxed)
        statistics.diskHits = diskHits.load(ordering: .relaxed)
        statistics.misses = misses.load(ordering: .relaxed)
        statistics.coalesced = coalesced.load(ordering: .relaxed)
        statistics.failures = failures.load(ordering: .relaxed)
        statistics.cancellations = cancellations.load(ordering: .relaxed)
        statistics.requests = requests.load(ordering: .relaxed)
        statistics.bytesReceived = bytesReceived.load(ordering: .relaxed)
        statistics.decodes = decodes.load(ordering: .relaxed)
        statistics.transforms = transforms.load(ordering: .relaxed)
        statistics.stores = stores.load(ordering: .relaxed)
        return statistics
    }

    /// Whether there is anybody to tell anything to.
    var hasObserver: Bool { observer != nil }

    func warn(_ warning: ImageWarning) {
        observer?.imageManager(didWarn: warning)
    }

    // MARK: - Loads

    /// A load begins; `nil` where nobody listens.
    func begin(_ request: ImageRequest) -> ObservedLoad? {
        inFlight.add(1, ordering: .relaxed)
        guard let observer else { return nil }
        let load = ObservedLoad(id: nextNumber(), request: request)
        observer.imageManager(didBegin: load)
        return load
    }

    /// It has ended.
    func end(_ load: ObservedLoad?, _ outcome: Result<LoadSummary, ImageError>) {
        inFlight.subtract(1, ordering: .relaxed)
        switch outcome {
        case .success(let summary):
            switch summary.source {
            case .memory: memoryHits.add(1, ordering: .relaxed)
            case .disk: diskHits.add(1, ordering: .relaxed)
            case .network, .file, .data: misses.add(1, ordering: .relaxed)
            }
            if summary.timeline.isCoalesced { coalesced.add(1, ordering: .relaxed) }
        case .failure(.cancelled): cancellations.add(1, ordering: .relaxed)
        case .failure: failures.add(1, ordering: .relaxed)
        }
        if let load { observer?.imageManager(didEnd: load, with: outcome) }
    }

    /// A load has begun and ended at once, with a picture from memory.
    func found(_ response: ImageResponse, for request: ImageRequest) {
        guard observer == nil else { return end(begin(request), .success(response.summary)) }
        memoryHits.add(1, ordering: .relaxed)
    }

    // MARK: - Stages

    /// A stage begins.
    func begin(_ stage: LoadStage, _ request: ImageRequest) -> StageSpan {
        guard let observer else { return StageSpan(observation: self, stage: stage, watched: nil) }
        let observed = ObservedStage(id: nextNumber(), stage: stage, request: request)
        observer.imageManager(didBegin: observed)
        return StageSpan(observation: self, stage: stage, watched: WatchedStage(observed))
    }

    /// `body` as a stage, which ends with it. Not inlined: who has no observer need not have room for it.
    @inline(never)
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
            switch span.stage {
            case .decode: decodes.add(1, ordering: .relaxed)
            case .transform: transforms.add(1, ordering: .relaxed)
            case .store: stores.add(1, ordering: .relaxed)
            case .queued, .disk, .firstByte, .transfer: break
            }
        }
        guard let watched = span.watched, watched.end() else { return }
        observer?.imageManager(didEnd: watched.observed, after: .now - watched.started, with: outcome)
    }

    // MARK: - Downloads

    /// A request is sent to a server.
    func sendsRequest() {
        requests.add(1, ordering: .relaxed)
    }

    /// A body has come.
    func received(_ bytes: Int) {
        bytesReceived.add(bytes, ordering: .relaxed)
    }

    func notify(_ notification: DownloadNotification) {
        observer?.imageManager(didHear: notification)
    }

    private func nextNumber() -> UInt64 {
        numbers.add(1, ordering: .relaxed).newValue
    }
}

/// A stage under way. Of several ends an observer hears the first; those that are counted have one.
struct StageSpan: Sendable {
    fileprivate let observation: Observation
    fileprivate let stage: LoadStage
    fileprivate let watched: WatchedStage?

    func end(_ outcome: StageOutcome = .done) {
        observation.end(self, outcome)
    }
}

/// What is remembered of a stage whose end somebody wants to hear of.
private final class WatchedStage: Sendable {
    let observed: ObservedStage
    let started = ContinuousClock.now
    private let hasEnded = Atomic(false)

    init(_ observed: ObservedStage) {
        self.observed = observed
    }

    /// Whether this is the first end.
    func end() -> Bool { !hasEnded.exchange(true, ordering: .relaxed) }
}
