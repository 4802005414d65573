/// A clock that advances only when a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await retry(every: .seconds(60), clock: clock) }
/// await clock.waitForSleepers(1)      // the task has reached its pause
/// clock.advance(by: .seconds(60))     // the pause is over
/// ```
///
/// A task that sleeps again after it was woken starts at the end of that `advance`, even if that is far past its
/// deadline: one advance wakes a task only once. A test of a repeated pause waits for the sleeper in between.
public final class ManualClock: Clock {
    /// A point in time, relative to the creation of the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public let offset: Duration

        /// Returns the instant that is later by a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the time from this instant to `other`.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns whether `first` is before `second`.
        public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        /// The deadline up to which sleepers have been woken. It is earlier than `now` while an advance wakes them.
        var reached = Instant(offset: .zero)
        /// The deadlines of all sleepers.
        var deadlines: [Instant] = []
    }

    private let monitor = Monitor(State())

    /// Creates a clock at zero.
    public init() {}

    /// The current instant.
    public var now: Instant { monitor.state.now }

    /// Zero: all instants are distinguishable.
    public var minimumResolution: Duration { .zero }

    /// The number of current sleepers.
    public var sleeperCount: Int { monitor.state.deadlines.count }

    /// Sleeps until the clock has advanced to `deadline`. Returns immediately if it has already.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        monitor.update { state in
            if deadline > state.reached { state.deadlines.append(deadline) }
        }
        guard await monitor.wait(until: { $0.reached >= deadline }) else {
            monitor.update { state in
                // Removes any equal deadline; those that are due have already been removed.
                if let index = state.deadlines.firstIndex(of: deadline) { state.deadlines.remove(at: index) }
            }
            throw CancellationError()
        }
    }

    /// Advances the clock and wakes due sleepers by deadline, then in the order in which they fell asleep.
    public func advance(by duration: Duration) {
        let end = monitor.update { state in
            state.now = state.now.advanced(by: duration)
            return state.now
        }
        while wakeNext(until: end) {}
    }

    /// Waits until there are at least `count` sleepers. Returns early if the task is cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        _ = await monitor.wait { $0.deadlines.count >= count }
    }

    /// Wakes the sleepers of the next deadline, before those of any later one.
    ///
    /// - Returns: whether there was a deadline; otherwise all due sleepers are awake.
    private func wakeNext(until end: Instant) -> Bool {
        monitor.update { state in
            guard let next = state.deadlines.filter({ $0 <= end }).min() else {
                state.reached = max(state.reached, end)
                return false
            }
            state.reached = next
            state.deadlines.removeAll { $0 <= next }
            return true
        }
    }
}
