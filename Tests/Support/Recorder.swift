import EaselTesting

/// A thread-safe log of events that a test can wait for.
package final class Recorder<Event: Sendable>: Sendable {
    private let monitor = Monitor([Event]())

    package init() {}

    package var events: [Event] { monitor.state }

    /// Creates the event inside the lock, so that an event that reads a state is in order with the others.
    package func record(_ event: @autoclosure () -> Event) {
        monitor.update { $0.append(event()) }
    }

    /// Returns early if the task is cancelled.
    package func wait(until condition: @escaping @Sendable ([Event]) -> Bool) async {
        _ = await monitor.wait(until: condition)
    }

    package func wait(for count: Int) async {
        await wait { $0.count >= count }
    }
}
