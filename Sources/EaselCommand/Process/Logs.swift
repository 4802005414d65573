import EaselCore
import Foundation
import Synchronization

/// An observer that records the events of loads by URL.
final class TraceLog: ImageObserver {
    private let traces = Mutex<[URL: LoadTrace]>([:])

    func imageManager(didBegin stage: ObservedStage) {
        update(stage.request) { $0.begin(stage.id, stage.stage) }
    }

    func imageManager(didEnd stage: ObservedStage, after duration: Duration, with outcome: StageOutcome) {
        update(stage.request) { $0.end(stage.id, after: duration, outcome) }
    }

    func imageManager(didHear notification: DownloadNotification) {
        update(notification.request) { $0.hear(notification.event) }
    }

    /// Returns the events of the loads of a URL.
    func trace(of url: URL) -> LoadTrace {
        traces.withLock { $0[url] } ?? LoadTrace()
    }

    private func update(_ request: ImageRequest, _ change: (inout LoadTrace) -> Void) {
        traces.withLock { change(&$0[request.url, default: LoadTrace()]) }
    }
}

/// An observer that collects warnings until the console prints them. Equal warnings are reported once, because a cache
/// that cannot be written warns for every image.
final class WarningLog: ImageObserver {
    private struct Warnings {
        var seen: Set<ImageWarning> = []
        var fresh: [ImageWarning] = []
    }

    private let warnings = Mutex(Warnings())

    func imageManager(didWarn warning: ImageWarning) {
        warnings.withLock { warnings in
            if warnings.seen.insert(warning).inserted { warnings.fresh.append(warning) }
        }
    }

    /// Returns and removes the warnings since the last call.
    func take() -> [ImageWarning] {
        warnings.withLock { warnings in
            defer { warnings.fresh = [] }
            return warnings.fresh
        }
    }
}
