import Synchronization

/// Refreshes that nobody waits for (RFC 5861 3): one a file at a time, until the manager is shut down.
final class BackgroundRefreshes: Sendable {
    private struct State {
        var tasks: [ImageRequest: Task<Void, Never>] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// Refreshes under way.
    var count: Int { state.withLock { $0.tasks.count } }

    /// Begins `work` for `key`, unless it is under way.
    func begin(_ key: ImageRequest, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isShutDown, state.tasks[key] == nil else { return }
            // Inside the lock, so that its end finds it; a new task only queues.
            state.tasks[key] = Task {
                await work()
                self.state.withLock { _ = $0.tasks.removeValue(forKey: key) }
            }
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
