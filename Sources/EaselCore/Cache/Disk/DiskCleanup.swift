import CEaselSystem
import EaselFoundation
import Synchronization

/// Removes what is too old from a cache's folders, when it is time: on a schedule, and when the process exits.
final class DiskCleanup: Sendable {
    private let schedule: CleanupSchedule
    private let caches: [DiskCache]
    private let pause: @Sendable (Duration) async throws -> Void
    private let timer = Mutex<Task<Void, Never>?>(nil)
    private let isStarted = Atomic(false)

    init(_ schedule: CleanupSchedule, of caches: [DiskCache], clock: some Clock<Duration> = ContinuousClock()) {
        self.schedule = schedule
        self.caches = caches
        pause = { try await clock.sleep(for: $0) }
    }

    deinit { timer.withLock { $0 }?.cancel() }

    /// Begins, with the first store: a cache that is only read has nothing to remove that it has not left before.
    func start() {
        guard !isStarted.exchange(true, ordering: .relaxed), schedule.interval != nil else { return }
        if schedule.isDoneAtExit { ExitWork.shared.add(self) }
        timer.withLock { timer in
            timer = Task { [weak self, pause] in
                while let wait = await self?.cleanIfDue(), (try? await pause(wait)) != nil {}
            }
        }
    }

    /// Removes what is too old, and returns how long to wait until it is time again.
    func cleanIfDue() async -> Duration? {
        var wait: Duration?
        for cache in caches {
            let next = await cache.upkeep.run { [schedule] in cache.cleanIfDue(schedule) }
            wait = [wait, next].compactMap(\.self).min()
        }
        return wait
    }

    /// The same at once, on the thread that ends the process.
    func cleanAtExit() {
        for cache in caches { _ = cache.cleanIfDue(schedule) }
    }
}

extension DiskCache {
    /// Removes what is too old, if it is time. Blocks. Returns how long to wait until it is time again.
    fileprivate func cleanIfDue(_ schedule: CleanupSchedule) -> Duration? {
        let now = Date().timeIntervalSince1970
        guard let entries = try? existing() else { return schedule.wait(last: now, now: now) }
        let last = entries.folder.facts(of: Self.cleanupMark)?.modified
        guard schedule.isDue(last: last, now: now) else { return schedule.wait(last: last, now: now) }
        // Before, not after: of several processes one does it.
        markCleanup(in: entries.folder)
        trim(entries, to: .limits)
        return schedule.wait(last: now, now: now)
    }

    /// An empty file whose time of modification is that of the last cleanup.
    private static let cleanupMark = ".cleaned"

    private func markCleanup(in folder: Folder) {
        _ = try? folder.remove(Self.cleanupMark)
        _ = try? folder.create(Self.cleanupMark).append(Data())
    }
}

/// What is done when the process exits.
private final class ExitWork: Sendable {
    static let shared = ExitWork()

    private struct Reference {
        weak var cleanup: DiskCleanup?
    }

    private let references = Mutex<[Reference]>([])

    private init() {
        easel_at_exit { ExitWork.shared.run() }
    }

    func add(_ cleanup: DiskCleanup) {
        references.withLock { references in
            references.removeAll { $0.cleanup == nil }
            references.append(Reference(cleanup: cleanup))
        }
    }

    private func run() {
        for cleanup in references.withLock({ $0.compactMap(\.cleanup) }) { cleanup.cleanAtExit() }
    }
}
