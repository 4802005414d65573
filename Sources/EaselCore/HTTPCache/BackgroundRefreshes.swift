import Synchronization

/// Work that no load waits for, refreshes (RFC 5861 3) say: one piece a file at a time, until the manager is shut down.
final class BackgroundRefreshes: Sendable {
    private struct State {
        var tasks: [ImageRequest: Task<Void, Never>] = [:]
        /// What follows the work that is under way.
        var next: [ImageRequest: [@Sendable () async -> Void]] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// Files with work under way.
    var count: Int { state.withLock { $0.tasks.count } }

    /// Begins `work` for `key`. Where some is under way it does nothing, or follows that.
    func begin(_ key: ImageRequest, follows: Bool = false, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isShutDown else { return }
            guard state.tasks[key] == nil else {
                if follows { state.next[key, default: []].append(work) }
                return
            }
            // Inside the lock, so that its end finds it; a new task only queues.
            state.tasks[key] = Task {
                await work()
                while let next = self.next(key) { await next() }
            }
        }
    }

    /// What follows. Without it the task for `key` has ended, in one step, so that nothing is added in between.
    private func next(_ key: ImageRequest) -> (@Sendable () async -> Void)? {
        state.withLock { state in
            guard var works = state.next[key] else {
                state.tasks[key] = nil
                return nil
            }
            defer { state.next[key] = works.isEmpty ? nil : works }
            return works.removeFirst()
        }
    }

    /// Returns when all that are under way have ended.
    func finish() async {
        while let task = state.withLock({ $0.tasks.values.first }) { await task.value }
    }

    /// Ends all, and begins none any more.
    func shutDown() {
        let tasks = state.withLock { state in
            state.isShutDown = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }
}
