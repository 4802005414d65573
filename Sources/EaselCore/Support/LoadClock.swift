import EaselFoundation

/// A clock as loads need it, so that a test's clock can take the place of the system's.
struct LoadClock: Sendable {
    /// The time since a fixed moment.
    let now: @Sendable () -> Duration
    /// Waits. Throws if the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}

/// Returns the date by the system's clock. With another clock, the date advances with that.
func wallClock(_ clock: some Clock<Duration>) -> @Sendable () -> Date {
    if clock is ContinuousClock || clock is SuspendingClock { return { Date() } }
    let (start, began) = (clock.now, Date())
    return { began.addingTimeInterval(start.duration(to: clock.now).seconds) }
}
