import CEaselSystem
import EaselFoundation
import Synchronization

/// When files that are too old are removed, apart from stores that pass a limit.
public struct CleanupSchedule: Sendable, Hashable {
    /// How often: once a day. `nil` means never. The time of the last cleanup is kept in the folder, so that processes that start often,
    /// or run side by side, do not repeat it.
    public var interval: Duration? = .seconds(86_400)
    /// Whether a cleanup that is due is also done when the process exits, which waits for it. On by default.
    public var isDoneAtExit = true

    /// The time until the next cleanup, zero or less if it is due; `nil` for never. Dates are in seconds since 1970.
    func wait(last: Double?, now: Double) -> Duration? {
        guard let interval else { return nil }
        // A date in the future was set by a clock that has gone back since.
        guard let last, last <= now else { return .zero }
        return interval - .seconds(now - last)
    }
}

/// Removes files that are too old from a cache's folders, on a schedule and when the process exits.
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

    /// Starts with the first store: a cache that is only read has nothing to remove that was not there before.
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
            if let wait = await cache.upkeep.run({ [schedule] in cache.cleanIfDue(schedule) }) { waits.append(wait) }
        }
        return waits.min()
    }

    func cleanAtExit() {
        for cache in caches { _ = cache.cleanIfDue(schedule) }
    }
}

extension DiskCache {
    /// An empty file whose time of modification is that of the last cleanup.
    private static let cleanupMark = ".cleaned"

    /// Removes what is too old if it is time. Blocks. Returns the time until the next cleanup.
    fileprivate func cleanIfDue(_ schedule: CleanupSchedule) -> Duration? {
        let now = Date().timeIntervalSince1970
        guard let entries = try? existing() else { return schedule.interval }
        let last = entries.folder.facts(of: Self.cleanupMark)?.modified
        guard let wait = schedule.wait(last: last, now: now) else { return nil }
        if wait > .zero { return wait }
        // The mark is set first, so that of several processes one does the cleanup.
        _ = try? entries.folder.remove(Self.cleanupMark)
        _ = try? entries.folder.create(Self.cleanupMark).append(Data())
        trim(entries, to: .limits)
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
