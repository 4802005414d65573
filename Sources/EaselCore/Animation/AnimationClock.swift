/// What tells players when to go on: a toolkit's timer or frame clock, a test's clock, or `TaskAnimationClock`.
@MainActor
public protocol AnimationClock: AnyObject {
    /// The time since some fixed moment. It must not run backwards.
    var now: Duration { get }

    /// Calls `body` once on the main actor when `delay` has passed, or as soon after as can be.
    ///
    /// - Returns: what prevents that. It may be called at any time, and after the call of `body` does nothing.
    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void
}

/// Sleeps on one of Swift's clocks.
public final class TaskAnimationClock: AnimationClock {
    private let clock: LoadClock

    /// A clock of animations that goes as `clock` does.
    public init(_ clock: some Clock<Duration> = ContinuousClock()) {
        self.clock = LoadClock(clock)
    }

    /// The time since it was made.
    public var now: Duration { clock.now() }

    /// Sleeps in a task of its own.
    public func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        let task = Task { [clock] in
            guard (try? await clock.sleep(delay)) != nil, !Task.isCancelled else { return }
            body()
        }
        return { task.cancel() }
    }
}
