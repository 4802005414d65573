import EaselCore
import Synchronization

/// Collects what went wrong without stopping a load, until the console may write it. Each warning counts once: a cache
/// that cannot be written says so for every picture.
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
