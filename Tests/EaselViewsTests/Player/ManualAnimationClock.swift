import EaselViews

/// A clock that only a test advances.
@MainActor
final class ManualAnimationClock: AnimationClock {
    private(set) var now = Duration.zero
    private var timers: [Int: (due: Duration, body: @MainActor () -> Void)] = [:]
    private var number = 0
    /// The number of timers set so far.
    private(set) var scheduleCount = 0

    /// The due times of the running timers, in milliseconds.
    var dues: [Int] { timers.values.map { Int(($0.due / .milliseconds(1)).rounded()) }.sorted() }

    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        number += 1
        scheduleCount += 1
        timers[number] = (now + delay, body)
        return { [weak self, number] in self?.timers[number] = nil }
    }

    /// Advances to a time and fires the timers that are due.
    func run(to milliseconds: Int) {
        let end = Duration.milliseconds(milliseconds)
        while let next = timers.min(by: { $0.value.due < $1.value.due }), next.value.due <= end {
            now = max(now, next.value.due)
            timers[next.key] = nil
            next.value.body()
        }
        now = end
    }
}

extension AnimationTicker {
    /// Returns a ticker with the resolution of its clock.
    static func exact(_ clock: ManualAnimationClock) -> AnimationTicker {
        AnimationTicker(clock, interval: .zero)
    }
}
