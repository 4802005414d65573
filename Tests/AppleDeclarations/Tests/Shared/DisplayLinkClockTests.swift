import EaselApple
import Testing

/// A beat that a test triggers.
@MainActor
private final class TestBeat: ScreenBeat {
    var isPaused = true
    var now = 0.0
    var nextFrame: Double { now + 1 / 60 }
    var hasEnded = false
    private let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) { self.body = body }

    func end() { hasEnded = true }

    /// Advances the time to `time` seconds, and calls the body unless paused.
    func beat(at time: Double) {
        now = time
        if !isPaused { body() }
    }
}

@Suite("Display link clock", .timeLimit(.minutes(1)))
@MainActor
struct DisplayLinkClockTests {
    private final class Screen {
        var beat: TestBeat?
    }

    private let screen = Screen()
    private let clock: DisplayLinkClock

    init() {
        clock = DisplayLinkClock { [screen] body in
            let beat = TestBeat(body)
            screen.beat = beat
            return beat
        }
    }

    @Test("X176: a timer is called with the beat whose next frame is at or after its time")
    func due() throws {
        var calls = 0
        _ = clock.schedule(after: .milliseconds(20)) { calls += 1 }
        let beat = try #require(screen.beat)
        #expect(!beat.isPaused)
        beat.beat(at: 0.001)
        #expect(calls == 0)
        beat.beat(at: 0.010)
        #expect(calls == 1)
        #expect(beat.isPaused)
    }

    @Test("the beat is paused while no timer is due soon")
    func rests() throws {
        let cancel = clock.schedule(after: .seconds(60)) {}
        let beat = try #require(screen.beat)
        #expect(beat.isPaused)
        cancel()
        _ = clock.schedule(after: .milliseconds(1)) {}
        #expect(!beat.isPaused)
    }

    @Test("a cancelled timer is not called")
    func cancelled() throws {
        var calls = 0
        let cancel = clock.schedule(after: .milliseconds(1)) { calls += 1 }
        cancel()
        let beat = try #require(screen.beat)
        #expect(beat.isPaused)
        beat.isPaused = false
        beat.beat(at: 1)
        #expect(calls == 0)
    }

    @Test("the beat ends with the clock")
    func ended() async throws {
        var beat: TestBeat?
        do {
            let clock = DisplayLinkClock { body in
                let made = TestBeat(body)
                beat = made
                return made
            }
            _ = clock.now
        }
        await until { beat?.hasEnded == true }
    }
}
