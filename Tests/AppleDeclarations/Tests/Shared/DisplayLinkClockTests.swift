import EaselApple
import Testing

/// A refresh that a test triggers.
@MainActor
private final class TestRefresh: ScreenRefresh {
    var isPaused = true
    var now = 0.0
    var nextFrame: Double { now + 1 / 60 }
    var hasEnded = false
    private let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) { self.body = body }

    func end() { hasEnded = true }

    /// Advances the time to `time` seconds, and calls the body unless paused.
    func fire(at time: Double) {
        now = time
        if !isPaused { body() }
    }
}

@Suite("Display link clock", .timeLimit(.minutes(1)))
@MainActor
struct DisplayLinkClockTests {
    private final class Screen {
        var refresh: TestRefresh?
    }

    private let screen = Screen()
    private let clock: DisplayLinkClock

    init() {
        clock = DisplayLinkClock { [screen] body in
            let created = TestRefresh(body)
            screen.refresh = created
            return created
        }
    }

    @Test("X176: a timer is called with the refresh whose next frame is at or after its time")
    func due() throws {
        var calls = 0
        _ = clock.schedule(after: .milliseconds(20)) { calls += 1 }
        let refresh = try #require(screen.refresh)
        #expect(!refresh.isPaused)
        refresh.fire(at: 0.001)
        #expect(calls == 0)
        refresh.fire(at: 0.010)
        #expect(calls == 1)
        #expect(refresh.isPaused)
    }

    @Test("the refresh is paused while no timer is due soon")
    func pausesWhileIdle() throws {
        let cancel = clock.schedule(after: .seconds(60)) {}
        let refresh = try #require(screen.refresh)
        #expect(refresh.isPaused)
        cancel()
        _ = clock.schedule(after: .milliseconds(1)) {}
        #expect(!refresh.isPaused)
    }

    @Test("a cancelled timer is not called")
    func cancelled() throws {
        var calls = 0
        let cancel = clock.schedule(after: .milliseconds(1)) { calls += 1 }
        cancel()
        let refresh = try #require(screen.refresh)
        #expect(refresh.isPaused)
        refresh.isPaused = false
        refresh.fire(at: 1)
        #expect(calls == 0)
    }

    @Test("the refresh ends with the clock")
    func ended() async throws {
        var refresh: TestRefresh?
        do {
            let clock = DisplayLinkClock { body in
                let created = TestRefresh(body)
                refresh = created
                return created
            }
            _ = clock.now
        }
        await until { refresh?.hasEnded == true }
    }
}
