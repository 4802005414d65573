import Synchronization

/// When the next preview is made: one at a time, not too soon after the one before, and only if there is something new.
///
/// A pure value: each event returns what to do. Times are those of one clock.
struct PreviewSchedule {
    enum Action: Hashable {
        case make
        /// Call `didWait` after this time.
        case wait(Duration)
    }

    /// The least time from the beginning of one preview to that of the next.
    let interval: Duration
    private var isMaking = false
    private var isWaiting = false
    private var hasNews = false
    private var isEnded = false
    private var began = Duration.zero
    private var earliest: Duration?

    init(interval: Duration) { self.interval = interval }

    mutating func didReceive(at now: Duration) -> Action? {
        hasNews = true
        return next(now)
    }

    /// A preview has been made, or there was none to make. A slow one is followed by a pause of the same length, so that previews
    /// take at most half of a processor.
    mutating func didMake(at now: Duration) -> Action? {
        isMaking = false
        earliest = max(began + interval, now + (now - began))
        return next(now)
    }

    mutating func didWait(at now: Duration) -> Action? {
        isWaiting = false
        return next(now)
    }

    mutating func end() { isEnded = true }

    private mutating func next(_ now: Duration) -> Action? {
        guard hasNews, !isMaking, !isWaiting, !isEnded else { return nil }
        if let earliest, now < earliest {
            isWaiting = true
            return .wait(earliest - now)
        }
        hasNews = false
        isMaking = true
        began = now
        return .make
    }
}

/// Makes previews by a `PreviewSchedule`, until it is ended.
final class PreviewMaker: Sendable {
    private struct State {
        var schedule: PreviewSchedule
        var tasks: [Int: Task<Void, Never>] = [:]
        var nextTask = 0
        var isEnded = false
    }

    private let clock: LoadClock
    private let make: @Sendable () async -> Void
    private let state: Mutex<State>

    /// - Parameter make: Makes a preview and delivers it. There is one call at a time, and `end()` cancels it.
    init(interval: Duration, clock: LoadClock, make: @escaping @Sendable () async -> Void) {
        self.clock = clock
        self.make = make
        state = Mutex(State(schedule: PreviewSchedule(interval: interval)))
    }

    /// More has arrived.
    func didReceive() { update { $0.didReceive(at: $1) } }

    func end() {
        let tasks = state.withLock { state in
            state.isEnded = true
            state.schedule.end()
            return state.tasks
        }
        for task in tasks.values { task.cancel() }
    }

    private func update(_ change: (inout PreviewSchedule, Duration) -> PreviewSchedule.Action?) {
        let now = clock.now()
        state.withLock { state in
            guard let action = change(&state.schedule, now), !state.isEnded else { return }
            let number = state.nextTask
            state.nextTask += 1
            // Under the lock, so that `end()` finds it.
            state.tasks[number] = Task(executorPreference: WorkerPool.loads) {
                await self.perform(action)
                self.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    private func perform(_ action: PreviewSchedule.Action) async {
        switch action {
        case .make:
            await make()
            update { $0.didMake(at: $1) }
        case .wait(let time):
            guard (try? await clock.sleep(time)) != nil else { return }
            update { $0.didWait(at: $1) }
        }
    }
}
