import Synchronization

/// Makes previews when a `PreviewSchedule` says so, until it is ended.
final class PreviewMaker: Sendable {
    private struct State {
        var schedule: PreviewSchedule
        var isEnded = false
        var tasks: [Int: Task<Void, Never>] = [:]
        var nextTask = 0
    }

    private let clock: LoadClock
    private let make: @Sendable () async -> Void
    private let state: Mutex<State>

    /// - Parameter make: makes a preview of what there is, and shows it; never called twice at a time. It is cancelled when
    ///   the maker is ended.
    init(interval: Duration, clock: LoadClock, make: @escaping @Sendable () async -> Void) {
        self.clock = clock
        self.make = make
        state = Mutex(State(schedule: PreviewSchedule(interval: interval)))
    }

    /// More has come.
    func newsCame() {
        update { $0.newsCame(at: $1) }
    }

    /// Nothing is made any more, and what is being made is cancelled.
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
            // Inside the lock, so that `end()` finds it; a new task only queues.
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
            update { $0.made(at: $1) }
        case .wait(let time):
            // One that is cancelled has nothing to come back to.
            guard (try? await clock.sleep(time)) != nil else { return }
            update { $0.waited(at: $1) }
        }
    }
}
