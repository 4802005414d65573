#if Server
import Synchronization

/// The statistics of shared work, and the tasks that store its results.
final class FlightRecords: Sendable {
    private struct State {
        var statistics = SharedFlight.Statistics()
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    var statistics: SharedFlight.Statistics { state.withLock(\.statistics) }

    func count(_ change: (inout SharedFlight.Statistics) -> Void) { state.withLock { change(&$0.statistics) } }

    /// Runs `body` in a task that `finish` waits for.
    func run(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            state.tasks[number] = Task { [self] in
                await body()
                self.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    /// Waits until the current tasks have ended.
    func finish() async {
        for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
    }
}
#endif
