public import EaselCore
#if Metrics
public import CoreMetrics

/// An observer that reports a manager's activity to swift-metrics.
///
/// | name | kind | dimensions |
/// |---|---|---|
/// | `easel.loads` | counter | `source`: `memory`, `disk`, `network`, `file`, `data` |
/// | `easel.loads.coalesced` | counter | |
/// | `easel.loads.failed` | counter | `code`: the case of `ImageError`, `cancelled` among them |
/// | `easel.loads.inflight` | meter | |
/// | `easel.load.duration` | timer | `source` |
/// | `easel.stage.duration` | timer | `stage`: `queued`, `disk`, `firstByte`, `transfer`, `decode`, `transform`, `store` |
/// | `easel.disk.reads` | counter | `outcome`: `hit`, `miss`, `failed` |
/// | `easel.http.responses` | counter | `status`: `2xx`, `3xx`, and so on |
/// | `easel.http.retries` | counter | |
/// | `easel.downloads` | counter | `outcome`: `finished`, `stopped` |
/// | `easel.download.bytes` | counter | |
/// | `easel.warnings` | counter | `kind`: `notStored`, `notRead`, `outdated`, `damagedEntry` |
/// | `easel.memory.evictions` | gauge | by `record(_:)` |
/// | `easel.sandbox.workers`, `.jobs`, `.timeouts`, `.cancellations`, `.unprotected` | gauge | by `record(_:)` |
/// | `easel.sandbox.crashes` | gauge | by `record(_:)`; `cause`: the signal, `exit`, `invalidAnswer`, `unknown` |
///
/// Names and dimensions never contain URLs, so their number is bounded.
public final class MetricsObserver: ImageObserver {
    private let factory: any MetricsFactory
    private let coalesced: Counter
    private let inFlight: Meter
    private let retries: Counter
    private let bytes: Counter
    private let evictions: Gauge

    /// Creates an observer for `ImageManager.Configuration.observers`.
    ///
    /// - Parameter factory: the factory of the metrics. The default is that of `MetricsSystem`, which the application
    ///   must have bootstrapped.
    public init(factory: any MetricsFactory = MetricsSystem.factory) {
        self.factory = factory
        coalesced = Counter(label: "easel.loads.coalesced", dimensions: [], factory: factory)
        inFlight = Meter(label: "easel.loads.inflight", dimensions: [], factory: factory)
        retries = Counter(label: "easel.http.retries", dimensions: [], factory: factory)
        bytes = Counter(label: "easel.download.bytes", dimensions: [], factory: factory)
        evictions = Gauge(label: "easel.memory.evictions", dimensions: [], factory: factory)
    }

    /// Records statistics that have no events. Call it periodically with `ImageManager.statistics`.
    public func record(_ statistics: ManagerStatistics) {
        if let memory = statistics.memory { evictions.record(memory.evictions) }
    }

    /// Records the totals of a sandbox. Call it periodically with `Sandbox.statistics`.
    public func record(_ statistics: SandboxStatistics) {
        let totals = [
            ("workers", statistics.startedWorkers), ("jobs", statistics.jobs), ("timeouts", statistics.timeouts),
            ("cancellations", statistics.cancellations), ("unprotected", statistics.unprotected),
        ]
        for (name, total) in totals {
            Gauge(label: "easel.sandbox.\(name)", dimensions: [], factory: factory).record(total)
        }
        for (cause, total) in statistics.crashesByCause {
            Gauge(label: "easel.sandbox.crashes", dimensions: [("cause", cause)], factory: factory).record(total)
        }
    }

    /// Counts the warning.
    public func didReceive(_ warning: ImageWarning) {
        let kind =
            switch warning {
            case .notStored: "notStored"
            case .notRead: "notRead"
            case .outdated: "outdated"
            case .damagedEntry: "damagedEntry"
            }
        count("easel.warnings", "kind", kind)
    }

    /// Counts the load as in-flight.
    public func didBegin(_ load: ObservedLoad) { inFlight.increment() }

    /// Counts the outcome of the load and records its duration.
    public func didEnd(_ load: ObservedLoad, with outcome: Result<LoadSummary, ImageError>) {
        inFlight.decrement()
        switch outcome {
        case .success(let summary):
            count("easel.loads", "source", summary.source.rawValue)
            if summary.timeline.isCoalesced { coalesced.increment() }
            if let total = summary.timeline.total {
                time("easel.load.duration", "source", summary.source.rawValue, total)
            }
        case .failure(let error):
            count("easel.loads.failed", "code", error.code.rawValue)
        }
    }

    /// Records the duration of the stage.
    public func didEnd(_ stage: ObservedStage, after duration: Duration, with outcome: StageOutcome) {
        time("easel.stage.duration", "stage", stage.stage.rawValue, duration)
        guard stage.stage == .disk else { return }
        let text =
            switch outcome {
            case .done: "hit"
            case .missed: "miss"
            case .failed: "failed"
            }
        count("easel.disk.reads", "outcome", text)
    }

    /// Counts responses, retries, ends and bytes.
    public func didReceive(_ notification: DownloadNotification) {
        switch notification.event {
        case .started, .redirected: break
        case .responded(let status, _, _): count("easel.http.responses", "status", "\(status / 100)xx")
        case .retrying: retries.increment()
        case .finished(let count):
            self.count("easel.downloads", "outcome", "finished")
            bytes.increment(by: count)
        case .stopped: count("easel.downloads", "outcome", "stopped")
        }
    }

    private func count(_ label: String, _ dimension: String, _ value: String) {
        Counter(label: label, dimensions: [(dimension, value)], factory: factory).increment()
    }

    private func time(_ label: String, _ dimension: String, _ value: String, _ duration: Duration) {
        Timer(label: label, dimensions: [(dimension, value)], factory: factory)
            .recordNanoseconds(Int64(clamping: Int(duration / .nanoseconds(1))))
    }
}
#else
/// A placeholder while the package trait is disabled.
@available(*, unavailable, message: "To use it, enable the package trait Metrics, which adds swift-metrics.")
public final class MetricsObserver: ImageObserver {
    /// Creates an observer.
    public init() {}

    /// Creates an observer that reports to a factory.
    public init<Factory>(factory: Factory) {}

    /// Does nothing.
    public func record(_ statistics: ManagerStatistics) {}

    /// Does nothing.
    public func record(_ statistics: SandboxStatistics) {}
}
#endif
