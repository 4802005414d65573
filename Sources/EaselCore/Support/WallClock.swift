import EaselFoundation

/// The date by the system's clock; with a clock that a test moves, the date moves with it.
func wallClock(_ clock: some Clock<Duration>) -> @Sendable () -> Date {
    if clock is ContinuousClock || clock is SuspendingClock { return { Date() } }
    let (start, began) = (clock.now, Date())
    return { began.addingTimeInterval(start.duration(to: clock.now).seconds) }
}
