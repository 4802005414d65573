import CEaselSystem
import EaselFoundation
import Synchronization

/// When expired files are removed. In addition, a store that exceeds a limit removes files.
package struct CleanupSchedule: Sendable, Hashable {
    /// The time between cleanups. One day by default; `nil` means never. The time of the last cleanup is stored in the
    /// folder, so that processes that start often, or run at the same time, do not repeat it.
    package var interval: Duration? = .seconds(86_400)
    /// Whether a due cleanup also runs when the process exits. The exit waits for it. On by default.
    package var isDoneAtExit = true

    /// Returns the time until the next cleanup, zero or less if it is due, or `nil` for never. Dates are in seconds
    /// since 1970.
    func wait(last: Double?, now: Double) -> Duration? {
        guard let interval else { return nil }
        // A date in the future: the clock was set back since.
        guard let last, last <= now else { return .zero }
        return interval - .seconds(now - last)
    }
}

/// A timer that removes expired files from a cache's folders, on a schedule and when the process exits.
final class DiskCleanup: Sendable {
    private let schedule: CleanupSchedule
    private let caches: [DiskCache]
    private let clock: LoadClock
    private let timer = Mutex<Task<Void, Never>?>(nil)

    init(_ schedule: CleanupSchedule, of caches: [DiskCache], clock: some Clock<Duration> = ContinuousClock()) {
        self.schedule = schedule
        self.caches = caches
        self.clock = LoadClock(clock)
    }

    deinit { timer.withLock { $0 }?.cancel() }

    /// Starts the timer. Called by every store, not by reads: a process that stores nothing leaves the folder as it is.
    func start() {
        guard schedule.interval != nil else { return }
        timer.withLock { timer in
            guard timer == nil else { return }
            if schedule.isDoneAtExit { ExitWork.shared.add(self) }
            timer = Task { [weak self, clock] in
                // At least a minute, for clocks that jump.
                while let wait = await self?.cleanIfDue(), (try? await clock.sleep(max(wait, .seconds(60)))) != nil {}
            }
        }
    }

    func cleanIfDue() async -> Duration? {
        var waits: [Duration] = []
        for cache in caches {
            if let wait = await cache.upkeep.run({ self.clean(cache) }) { waits.append(wait) }
        }
        return waits.min()
    }

    func cleanAtExit() {
        for cache in caches { _ = clean(cache) }
    }

    /// Cleans a cache if it is due. The first cache contains the tags.
    private func clean(_ cache: DiskCache) -> Duration? {
        cache.cleanIfDue(schedule) { if cache === caches.first { cache.pruneTags(usedIn: caches) } }
    }
}

extension DiskCache {
    /// The name of an empty file. Its modification time is the time of the last cleanup.
    private static let cleanupMark = ".cleaned"

    /// Removes expired files if a cleanup is due, and then calls `body`. Returns the time until the next cleanup.
    /// Blocks.
    fileprivate func cleanIfDue(_ schedule: CleanupSchedule, _ body: () -> Void) -> Duration? {
        let now = Date().timeIntervalSince1970
        guard let entries = try? existing() else { return schedule.interval }
        let last = entries.folder.facts(of: Self.cleanupMark)?.modified
        guard let wait = schedule.wait(last: last, now: now) else { return nil }
        if wait > .zero { return wait }
        // The mark is set first, so that only one of several processes does the cleanup.
        _ = try? entries.folder.remove(Self.cleanupMark)
        _ = try? entries.folder.create(Self.cleanupMark).append(Data())
        trim(entries, to: .limits)
        body()
        return schedule.interval
    }
}

private final class ExitWork: Sendable {
    static let shared = ExitWork()

    private struct Reference {
        weak var cleanup: DiskCleanup?
    }

    private let references = Mutex<[Reference]>([])

    private init() {
        easel_at_exit {
            for cleanup in ExitWork.shared.references.withLock({ $0.compactMap(\.cleanup) }) { cleanup.cleanAtExit() }
        }
    }

    func add(_ cleanup: DiskCleanup) {
        references.withLock { references in
            references.removeAll { $0.cleanup == nil }
            references.append(Reference(cleanup: cleanup))
        }
    }
}
