import EaselFoundation

/// The clock of loads: the system's, or a manual one in tests.
package struct LoadClock: Sendable {
    package let now: @Sendable () -> Duration
    /// Throws if the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}

/// Returns a function for the date, which advances with the clock.
func wallClock(_ clock: some Clock<Duration>) -> @Sendable () -> Date {
    if clock is ContinuousClock || clock is SuspendingClock { return { Date() } }
    let (start, began) = (clock.now, Date())
    return { began.addingTimeInterval(start.duration(to: clock.now).seconds) }
}
