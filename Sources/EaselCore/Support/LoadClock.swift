package import EaselFoundation

/// The clock of loads: the system's, or a manual one in tests.
package struct LoadClock: Sendable {
    /// The time since a fixed moment.
    package let now: @Sendable () -> Duration
    /// Throws if the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// The date. That of a manual clock advances with it.
    package let date: @Sendable () -> Date

    package init(_ clock: some Clock<Duration>) {
        let (start, began) = (clock.now, Date())
        let isOfSystem = clock is ContinuousClock || clock is SuspendingClock
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        date = { isOfSystem ? Date() : began.addingTimeInterval(start.duration(to: clock.now).seconds) }
    }
}
