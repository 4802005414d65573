import EaselCore
import EaselViews
import EaselSwiftUI
import Testing

@Suite("WebImage animations", .timeLimit(.minutes(1)))
@MainActor
struct WebImageAnimationTests {
    private let clock = TestAnimationClock()
    private let model: WebImageModel

    init() {
        model = WebImageModel(ticker: AnimationTicker(clock, interval: .zero), frameStore: FrameStore())
    }

    @Test("X170: the frames of an animation are shown at their times, and playing stops at the end")
    func plays() async throws {
        model.appear()
        model.show(try .moving(1, 2), in: .image)
        await until { clock.isAwaited }
        #expect(model.name == "success 1")
        clock.advance(by: .milliseconds(100))
        await until { model.frameIndex == 1 }
        #expect(model.name == "success 2")
        await until { clock.isAwaited }
        clock.advance(by: .milliseconds(100))
        await until { !model.isAnimating }
        #expect(model.name == "success 2")
    }

    @Test("X172: a paused animation shows its first frame, and plays when it is resumed")
    func pauses() async throws {
        model.isAnimating = false
        model.appear()
        model.show(try .moving(1, 2), in: .image)
        await mainTurns()
        #expect(!clock.isAwaited)
        #expect(model.name == "success 1")
        model.isAnimating = true
        await until { clock.isAwaited }
    }

    @Test("X175: an animation does not play while it is not visible")
    func invisible() async throws {
        model.appear()
        model.show(try .moving(1, 2), in: .image)
        await until { clock.isAwaited }
        model.disappear()
        #expect(!clock.isAwaited)
        model.appear()
        await until { clock.isAwaited }
    }

    @Test("X173: an animation can seek to a frame")
    func seeks() async throws {
        model.isAnimating = false
        model.appear()
        model.show(try .moving(1, 2, 3), in: .image)
        model.seek(toFrame: 2)
        await until { model.frameIndex == 2 }
        #expect(model.name == "success 3")
    }

    @Test("a still image ends the animation")
    func still() async throws {
        model.appear()
        model.show(try .moving(1, 2), in: .image)
        await until { clock.isAwaited }
        model.show(try .solid(9), in: .image)
        #expect(!clock.isAwaited)
        #expect(model.name == "success 9")
    }

    @Test("another animation starts at its first frame")
    func another() async throws {
        model.appear()
        model.show(try .moving(1, 2, 3), in: .image)
        await until { clock.isAwaited }
        clock.advance(by: .milliseconds(100))
        await until { model.frameIndex == 1 }
        model.show(try .moving(7, 8), in: .image)
        await until { model.name == "success 7" && clock.isAwaited }
        #expect(model.frameIndex == 0)
    }
}
