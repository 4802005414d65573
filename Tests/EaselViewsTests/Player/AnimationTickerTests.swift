import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("Animation ticker", .timeLimit(.minutes(1)))
@MainActor
struct AnimationTickerTests {
    @Test("ticks due at similar times fire together on a grid")
    func grid() {
        let clock = ManualAnimationClock()
        let ticker = AnimationTicker(clock, interval: .milliseconds(20))
        var fired: [String] = []
        let first = ticker.makeTick { fired.append("first \(clock.now / .milliseconds(1))") }
        let second = ticker.makeTick { fired.append("second \(clock.now / .milliseconds(1))") }
        first.due = .milliseconds(21)
        second.due = .milliseconds(39)
        #expect(clock.dues == [40])
        clock.run(to: 39)
        #expect(fired == [])
        clock.run(to: 60)
        #expect(fired == ["first 40.0", "second 40.0"])
    }

    @Test("there is one timer for the earliest tick, and none if no tick is due")
    func oneTimer() {
        let clock = ManualAnimationClock()
        let ticker = AnimationTicker.exact(clock)
        let first = ticker.makeTick {}
        let second = ticker.makeTick {}
        #expect(clock.dues == [])
        first.due = .milliseconds(30)
        second.due = .milliseconds(20)
        #expect(clock.dues == [20])
        second.due = nil
        #expect(clock.dues == [30])
        clock.run(to: 30)
        #expect(clock.dues == [] && first.due == nil)
    }

    @Test("many ticks need one timer for each time step")
    func cost() {
        let clock = ManualAnimationClock()
        let ticker = AnimationTicker(clock, interval: .milliseconds(20))
        var ticks: [AnimationTick] = []
        var count = 0
        for number in 0..<50 {
            var tick: AnimationTick?
            tick = ticker.makeTick { [weak ticker] in
                count += 1
                tick?.due = ticker.map { $0.now + .milliseconds(50) }
            }
            tick?.due = .milliseconds(number)
            if let tick { ticks.append(tick) }
        }
        let before = clock.scheduleCount
        clock.run(to: 1000)
        #expect(count >= 50 * 16 && clock.scheduleCount - before <= 52)
        for tick in ticks { tick.due = nil }
    }

    @Test("a deallocated tick does not fire")
    func ends() {
        let clock = ManualAnimationClock()
        let ticker = AnimationTicker.exact(clock)
        var fired = 0
        var tick: AnimationTick? = ticker.makeTick { fired += 1 }
        tick?.due = .milliseconds(10)
        tick = nil
        clock.run(to: 20)
        #expect(fired == 0 && clock.dues == [])
    }

    @Test("a change during a firing takes effect")
    func reentrant() {
        let clock = ManualAnimationClock()
        let ticker = AnimationTicker.exact(clock)
        var second: AnimationTick?
        var fired: [String] = []
        let first = ticker.makeTick {
            fired.append("first")
            second?.due = nil
        }
        second = ticker.makeTick { fired.append("second") }
        first.due = .milliseconds(10)
        second?.due = .milliseconds(10)
        clock.run(to: 50)
        #expect(fired == ["first"])
    }

    @Test("the default clock sleeps and can be cancelled")
    func task() async {
        let clock = TaskAnimationClock()
        let before = clock.now
        let cancel = clock.schedule(after: .seconds(3600)) { Issue.record("It was cancelled.") }
        cancel()
        await withCheckedContinuation { continuation in
            _ = clock.schedule(after: .milliseconds(1)) { continuation.resume() }
        }
        #expect(clock.now - before >= .milliseconds(1))
    }
}
