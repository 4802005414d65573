import Synchronization

/// Work that no load waits for, such as revalidation after a load: one piece at a time for each key.
final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [WorkKey: Task<Void, Never>] = [:]
        /// The work that follows.
        var next: [WorkKey: [@Sendable () async -> Void]] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// The number of keys with work in progress.
    var count: Int { state.withLock { $0.tasks.count } }

    /// Begins `work`.
    ///
    /// - Parameter follows: Whether it runs after work in progress for the same key. Without it, it is dropped then.
    func begin(_ key: WorkKey, follows: Bool = false, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isShutDown else { return }
            guard state.tasks[key] == nil else {
                if follows { state.next[key, default: []].append(work) }
                return
            }
            // Under the lock, so that its end finds it.
            state.tasks[key] = Task {
                await work()
                while let next = self.takeNext(key) { await next() }
            }
        }
    }

    /// Removes the work that follows, or the task if there is none: in one step, so that nothing is added in between.
    private func takeNext(_ key: WorkKey) -> (@Sendable () async -> Void)? {
        state.withLock { state in
            if state.next[key]?.isEmpty == false { return state.next[key]?.removeFirst() }
            state.next[key] = nil
            state.tasks[key] = nil
            return nil
        }
    }

    /// Returns when all work in progress has ended.
    func finish() async {
        while let task = state.withLock({ $0.tasks.values.first }) { await task.value }
    }

    /// Cancels all work, and begins none from now on.
    func shutDown() {
        let tasks = state.withLock { state in
            state.isShutDown = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }
}
