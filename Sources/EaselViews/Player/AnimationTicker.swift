import EaselCore

/// A timer of players: a toolkit's timer or frame clock, a test's clock, or `TaskAnimationClock`.
@MainActor
package protocol AnimationClock: AnyObject {
    /// The time since a fixed moment. It must not decrease.
    var now: Duration { get }

    /// Calls `body` once on the main actor after `delay`.
    ///
    /// - Returns: a function that prevents the call. It has no effect after the call.
    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void
}

/// An animation clock on Swift's continuous clock.
package final class TaskAnimationClock: AnimationClock {
    private let start = ContinuousClock.now

    package init() {}

    package var now: Duration { ContinuousClock.now - start }

    package func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        let task = Task {
            guard (try? await Task.sleep(for: delay)) != nil, !Task.isCancelled else { return }
            body()
        }
        return { task.cancel() }
    }
}

/// A timer that wakes players when their next frames are due, with one timer for all.
///
/// Times are rounded up to a grid, so that players whose frames are due about the same time wake together. Each player
/// keeps its own times, so that nothing drifts. Without a due frame there is no timer.
@MainActor
package final class AnimationTicker {
    /// The default ticker of players. A toolkit with its own clock replaces it before it creates players.
    package static var shared = AnimationTicker(TaskAnimationClock())

    private let clock: any AnimationClock
    let interval: Duration
    private var ticks: [() -> AnimationTick?] = []
    private var timer: (due: Duration, cancel: @MainActor () -> Void)?
    private var isFiring = false

    /// - Parameter interval: the grid of times, by default a sixtieth of a second; zero wakes each player exactly when
    ///   its frame is due.
    package init(_ clock: any AnimationClock, interval: Duration = .nanoseconds(16_666_667)) {
        self.clock = clock
        self.interval = interval
    }

    package var now: Duration { clock.now }

    func makeTick(_ body: @escaping @MainActor () -> Void) -> AnimationTick {
        let tick = AnimationTick(self, body)
        ticks.removeAll { $0() == nil }
        ticks.append { [weak tick] in tick }
        return tick
    }

    /// Reschedules the timer after the time of a tick has changed.
    func settle() {
        guard !isFiring else { return }
        let next = ticks.lazy.compactMap { $0()?.due }.min().map(roundUpToGrid)
        guard next != timer?.due else { return }
        timer?.cancel()
        timer = next.map { due in
            (due, clock.schedule(after: max(.zero, due - now)) { [weak self] in self?.fire() })
        }
    }

    private func fire() {
        timer = nil
        isFiring = true
        let now = now
        for tick in ticks.compactMap({ $0() }) {
            guard let due = tick.due, due <= now else { continue }
            tick.due = nil
            tick.body()
        }
        isFiring = false
        settle()
    }

    private func roundUpToGrid(_ due: Duration) -> Duration {
        guard interval > .zero else { return due }
        return interval * (due / interval).rounded(.up)
    }
}

/// The wake-up of one player, whose lifetime it shares.
@MainActor
final class AnimationTick {
    private let ticker: AnimationTicker
    let body: @MainActor () -> Void

    /// When to call `body`, once; `nil` for never.
    var due: Duration? {
        didSet { if due != oldValue { ticker.settle() } }
    }

    init(_ ticker: AnimationTicker, _ body: @escaping @MainActor () -> Void) {
        self.ticker = ticker
        self.body = body
    }
}
