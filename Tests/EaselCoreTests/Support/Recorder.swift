@testable import EaselTesting

/// What happened, in order, from any thread; a test can wait until enough did.
final class Recorder<Event: Sendable>: Sendable {
    private let monitor = Monitor([Event]())

    var events: [Event] { monitor.state }

    /// The event is made inside the lock, so that one which reads a state is in its place among the others.
    func record(_ event: @autoclosure () -> Event) {
        monitor.update { $0.append(event()) }
    }

    /// Returns early where the task is cancelled.
    func wait(until condition: @escaping @Sendable ([Event]) -> Bool) async {
        _ = await monitor.wait(until: condition)
    }

    func wait(for count: Int) async {
        await wait { $0.count >= count }
    }
}
