/// A clock reduced to what loads need of it, so that a test's clock can stand in for the system's.
struct LoadClock: Sendable {
    /// The time since some fixed moment.
    let now: @Sendable () -> Duration
    /// Waits, and throws where the task is cancelled meanwhile.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}
