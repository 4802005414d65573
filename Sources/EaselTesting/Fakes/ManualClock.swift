/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await retry(every: .seconds(60), clock: clock) }
/// await clock.waitForSleepers(1)      // it has got as far as its pause
/// clock.advance(by: .seconds(60))     // and that is over now
/// ```
///
/// A task that sleeps again after it was woken does so from the end of that `advance`, however far beyond its pause that is,
/// and however soon it runs: one advance wakes nobody twice. A test of a repeated pause waits for the sleeper in between.
public final class ManualClock: Clock {
    /// A point in time, as the time since the clock was made.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// The instant this much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time from this instant to `other`.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether `first` is before `second`.
        public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        /// Up to when sleepers have been woken: behind `now` while an advance wakes them.
        var reached = Instant(offset: .zero)
        /// When each of those who sleep wants to be woken.
        var deadlines: [Instant] = []
    }

    private let monitor = Monitor(State())

    /// A clock that stands at zero.
    public init() {}

    /// Where the clock stands.
    public var now: Instant { monitor.state.now }

    /// Zero: every instant can be told apart.
    public var minimumResolution: Duration { .zero }

    /// How many sleep now.
    public var sleepers: Int { monitor.state.deadlines.count }

    /// Sleeps until the clock has been moved to `deadline`; not at all where it is there already.
    ///
    /// - Throws: `CancellationError` where the task is cancelled before.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        monitor.update { state in
            if deadline > state.reached { state.deadlines.append(deadline) }
        }
        guard await monitor.wait(until: { $0.reached >= deadline }) else {
            monitor.update { state in
                // Any equal one will do: those that are due are not in the list any more.
                if let index = state.deadlines.firstIndex(of: deadline) { state.deadlines.remove(at: index) }
            }
            throw CancellationError()
        }
    }

    /// Moves the clock on and wakes those whose time has come, the earliest first; of equal ones the first to sleep.
    public func advance(by duration: Duration) {
        let end = monitor.update { state in
            state.now = state.now.advanced(by: duration)
            return state.now
        }
        while wakeNext(until: end) {}
    }

    /// Waits until at least `count` sleep. Returns early where the task is cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        _ = await monitor.wait { $0.deadlines.count >= count }
    }

    /// Stops at the next deadline, so that those who wait for it are resumed before any later one.
    ///
    /// - Returns: whether there was one; otherwise all are awake whose time has come.
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
