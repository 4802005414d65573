import EaselCore
import FoundationEssentials
import Synchronization
import TestSupport

/// An observer that records its events.
final class EventLog: ImageObserver {
    private struct State {
        var lines: [String] = []
        var openLoads: Set<UInt64> = []
        var openStages: Set<UInt64> = []
        var unpaired = 0
    }

    private let state = Mutex(State())

    /// The events in order: `load`, `+decode`, `-decode`, `finished`.
    var lines: [String] { state.withLock { $0.lines } }

    /// Whether every load and stage that began has ended once, and none ended without beginning.
    var isBalanced: Bool {
        state.withLock { $0.openLoads.isEmpty && $0.openStages.isEmpty && $0.unpaired == 0 }
    }

    func didBegin(_ load: ObservedLoad) {
        state.withLock { state in
            state.lines.append("load")
            if !state.openLoads.insert(load.id).inserted { state.unpaired += 1 }
        }
    }

    func didEnd(_ load: ObservedLoad, with outcome: Result<LoadSummary, ImageError>) {
        state.withLock { state in
            switch outcome {
            case .success(let summary):
                state.lines.append("loaded from \(summary.source)" + (summary.timeline.isCoalesced ? ", shared" : ""))
            case .failure(let error): state.lines.append("failed: \(error.code)")
            }
            if state.openLoads.remove(load.id) == nil { state.unpaired += 1 }
        }
    }

    func didBegin(_ stage: ObservedStage) {
        state.withLock { state in
            state.lines.append("+\(stage.stage)")
            if !state.openStages.insert(stage.id).inserted { state.unpaired += 1 }
        }
    }

    func didEnd(_ stage: ObservedStage, after duration: Duration, with outcome: StageOutcome) {
        state.withLock { state in
            switch outcome {
            case .done: state.lines.append("-\(stage.stage)")
            case .missed: state.lines.append("-\(stage.stage), missed")
            case .failed(let error): state.lines.append("-\(stage.stage), \(error.code)")
            }
            if state.openStages.remove(stage.id) == nil || duration < .zero { state.unpaired += 1 }
        }
    }

    func didReceive(_ notification: DownloadNotification) {
        state.withLock { $0.lines.append(notification.event.text) }
    }
}

extension DownloadNotification.Event {
    /// A description for comparison, without times and headers.
    var text: String {
        switch self {
        case .started: "started"
        case .responded(let status, _, _): "responded \(status)"
        case .redirected(let url): "redirected to \(url.absoluteString)"
        case .retrying(_, let error): "retrying after \(error.code)"
        case .finished(let bytes): "finished \(bytes)"
        case .stopped(let error): "stopped: \(error.code)"
        }
    }
}
