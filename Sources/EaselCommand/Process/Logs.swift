import EaselCore
import Foundation
import Synchronization

/// Keeps what loads do, by URL, until it is printed.
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

    /// What loads of a URL did.
    func trace(of url: URL) -> LoadTrace {
        traces.withLock { $0[url] } ?? LoadTrace()
    }

    private func update(_ request: ImageRequest, _ change: (inout LoadTrace) -> Void) {
        traces.withLock { change(&$0[request.url, default: LoadTrace()]) }
    }
}

/// Collects what went wrong without stopping a load, until the console may write it. Each warning counts once: a cache
/// that cannot be written says so for every image.
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

    /// Those that have not been taken yet.
    func take() -> [ImageWarning] {
        warnings.withLock { warnings in
            defer { warnings.fresh = [] }
            return warnings.fresh
        }
    }
}
