/// Wakes players when their next frames are due: many players, one timer.
///
/// Times are rounded up to a grid, so that players whose frames fall due about the same time are woken together. No screen
/// shows the difference, and since each player keeps its own times nothing drifts. While no player waits for a time there is no
/// timer.
@MainActor
public final class AnimationTicker {
    /// The ticker that players use by default. A toolkit with a clock of its own sets another one before it makes players.
    public static var shared = AnimationTicker(TaskAnimationClock())

    /// A sixtieth of a second.
    public static let screenInterval = Duration.nanoseconds(16_666_667)

    private struct Reference {
        weak var tick: AnimationTick?
    }

    private let clock: any AnimationClock
    let interval: Duration
    private var ticks: [Reference] = []
    private var timer: (due: Duration, cancel: @MainActor () -> Void)?
    private var isRinging = false

    /// A ticker on a clock.
    ///
    /// - Parameter interval: the grid of times; zero wakes each player when its frame is due, to the point.
    public init(_ clock: any AnimationClock, interval: Duration = AnimationTicker.screenInterval) {
        self.clock = clock
        self.interval = interval
    }

    /// The time of its clock.
    public var now: Duration { clock.now }

    func makeTick(_ body: @escaping @MainActor () -> Void) -> AnimationTick {
        let tick = AnimationTick(self, body)
        ticks.append(Reference(tick: tick))
        return tick
    }

    /// A tick's time has changed.
    func settle() {
        guard !isRinging else { return }
        let next = ticks.lazy.compactMap { $0.tick?.due }.min().map(onGrid)
        guard next != timer?.due else { return }
        timer?.cancel()
        timer = next.map { due in
            (due, clock.schedule(after: max(.zero, due - now)) { [weak self] in self?.ring() })
        }
    }

    private func ring() {
        timer = nil
        isRinging = true
        let now = now
        for tick in ticks.compactMap(\.tick) {
            guard let due = tick.due, due <= now else { continue }
            tick.due = nil
            tick.body()
        }
        ticks.removeAll { $0.tick == nil }
        isRinging = false
        settle()
    }

    private func onGrid(_ due: Duration) -> Duration {
        guard interval > .zero else { return due }
        return interval * (due / interval).rounded(.up)
    }
}

/// When one player is to be woken. It ends with its player.
@MainActor
final class AnimationTick {
    private let ticker: AnimationTicker
    let body: @MainActor () -> Void

    /// When `body` is to be called, once; `nil` for never.
    var due: Duration? {
        didSet { if due != oldValue { ticker.settle() } }
    }

    init(_ ticker: AnimationTicker, _ body: @escaping @MainActor () -> Void) {
        self.ticker = ticker
        self.body = body
    }
}
