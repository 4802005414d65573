#if Server
import Synchronization

/// Tasks that no request waits for.
package final class PendingTasks: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs `work` in a task.
    package func run(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            // Under the lock, so that its end finds it.
            state.tasks[number] = Task {
                await work()
                self.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    /// Waits until the tasks that have begun have ended.
    package func finish() async {
        for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
    }
}
#endif
