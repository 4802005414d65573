#if Server
import Synchronization

/// The statistics of shared work, and the tasks that store its results.
final class FlightRecords: Sendable {
    private let counts = Mutex(SharedFlight.Statistics())
    let tasks = PendingTasks()

    var statistics: SharedFlight.Statistics { counts.withLock(\.self) }

    func count(_ change: (inout SharedFlight.Statistics) -> Void) { counts.withLock { change(&$0) } }
}
#endif
