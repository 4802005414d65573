import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore
@testable import EaselViews

/// A player with a manual clock, and the frames that it has drawn.
@MainActor
private final class Stage {
    let clock = ManualAnimationClock()
    let drawn = Recorder<Int>()
    let store: FrameStore
    let ticker: AnimationTicker

    init(limit: Int = 1 << 20, monitor: MemoryPressureMonitor = MemoryPressureMonitor()) {
        store = FrameStore(limit: ByteCount(limit), monitor: monitor)
        ticker = .exact(clock)
    }

    func player(_ animation: Animation) -> AnimationPlayer {
        AnimationPlayer(animation, frameStore: store, ticker: ticker) { [drawn] frame in
            drawn.record(Int(frame.pixels[0, 0].blue))
        }
    }

    /// Plays until `count` frames have been drawn in all. The clock does not advance while a frame is pending.
    func draw(_ count: Int, step: Int = 10) async {
        while drawn.events.count < count {
            let before = drawn.events.count
            if clock.dues.isEmpty {
                await drawn.wait(for: before + 1)
            } else {
                clock.run(to: Int(clock.now / .milliseconds(1)) + step)
            }
        }
    }
}

@Suite("Animation players", .timeLimit(.minutes(1)))
@MainActor
struct AnimationPlayerTests {
    @Test("frames are drawn when decoded and due, and a loop that fits the limit is decoded once (R018)")
    func plays() async throws {
        let coder = FilmCoder()
        let stage = Stage()
        let player = stage.player(try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry))
        player.play()
        #expect(player.isPlaying && stage.drawn.events == [])
        await stage.draw(9)
        #expect(stage.drawn.events == [0, 1, 2, 0, 1, 2, 0, 1, 2])
        #expect(coder.decoded.events.sorted() == [0, 1, 2] && player.currentLoop == 2 && player.currentFrame == 2)
    }

    @Test("an available frame is drawn before play() returns")
    func synchronous() async throws {
        let coder = FilmCoder()
        let stage = Stage()
        let image = try coder.registry.image(in: FilmCoder.file([5, 5]), DecodeOptions(), [])
        let player = stage.player(try #require(image.animation))
        player.play()
        #expect(stage.drawn.events == [0])
        try player.animation.loadAllFrames()
        let other = stage.player(player.animation)
        other.play()
        stage.clock.run(to: 100)
        #expect(stage.drawn.events.count >= 4)
    }

    @Test("a slow decode blocks nothing, and the old frame stays (X171)")
    func neverBlocks() async throws {
        let work = BlockingWork()
        var coder = FilmCoder()
        coder.beforeFrame = { if $0 == 1 { work.block() } }
        let stage = Stage()
        let player = stage.player(try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry))
        player.play()
        await stage.draw(1)
        await work.waitForStart()
        stage.clock.run(to: 5000)
        #expect(stage.drawn.events == [0] && player.currentFrame == 0)
        work.release()
        await stage.draw(3)
        #expect(stage.drawn.events == [0, 1, 2])
    }

    @Test("players of one animation share its frames (X174)")
    func shares() async throws {
        let coder = FilmCoder()
        let stage = Stage()
        let animation = try Animation(data: FilmCoder.file([5, 5, 5, 5]), coders: coder.registry)
        let players = (0..<3).map { _ in stage.player(animation) }
        for player in players { player.play() }
        await stage.draw(24)
        #expect(coder.decoded.events.sorted() == [0, 1, 2, 3] && coder.creations.events.count == 1)
    }

    @Test("an invisible player decodes nothing and sets no timer (X175, B100)")
    func invisible() async throws {
        let coder = FilmCoder()
        let stage = Stage()
        let player = stage.player(try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry))
        player.isVisible = false
        player.play()
        stage.clock.run(to: 1000)
        #expect(player.isPlaying && stage.clock.dues == [] && coder.decoded.events == [] && stage.drawn.events == [])
        player.isVisible = true
        await stage.draw(3)
        player.isVisible = false
        #expect(stage.clock.dues == [])
    }

    @Test("a player reports loops and its end, and keeps the last frame (X172)")
    func end() async throws {
        let coder = FilmCoder()
        let stage = Stage()
        let player = stage.player(try Animation(data: FilmCoder.file([5, 5]), coders: coder.registry))
        var loops: [Int] = []
        var isFinished = false
        player.onLoop = { loops.append($0) }
        player.onFinish = { isFinished = true }
        player.loopLimit = 2
        player.play()
        await stage.draw(4)
        stage.clock.run(to: 10_000)
        #expect(loops == [1, 2] && isFinished && player.isFinished && !player.isPlaying && player.currentFrame == 1)
        #expect(stage.drawn.events == [0, 1, 0, 1] && stage.clock.dues == [])
    }

    @Test("a callback can change the player")
    func reentrant() async throws {
        let coder = FilmCoder()
        let stage = Stage()
        let player = stage.player(try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry))
        let draw = player.onFrame
        player.onFrame = { [weak player] frame in
            draw(frame)
            if frame.index == 1 { player?.stop() }
        }
        player.play()
        await stage.draw(2)
        #expect(stage.clock.dues == [] && !player.isPlaying)
    }

    @Test("a callback that shows another frame has the last word")
    func seeksInCallback() async throws {
        let coder = FilmCoder()
        let stage = Stage()
        let player = stage.player(try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry))
        try player.animation.loadAllFrames()
        player.onLoop = { [weak player] _ in
            player?.pause()
            player?.seek(toFrame: 2)
        }
        player.play()
        stage.clock.run(to: 1000)
        #expect(stage.drawn.events == [0, 1, 2, 2] && player.currentFrame == 2)
    }

    @Test("instead of a damaged frame, the previous one is shown for its duration")
    func damaged() async throws {
        var coder = FilmCoder()
        coder.damaged = [1]
        let stage = Stage()
        let player = stage.player(try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry))
        player.play()
        await stage.draw(4)
        #expect(stage.drawn.events == [0, 2, 0, 2])
        #expect(coder.decoded.events.sorted() == [0, 2])
    }

    @Test("mode, rate and seeking affect the drawn frames (X170, X173)")
    func controls() async throws {
        let coder = FilmCoder()
        let stage = Stage()
        let player = stage.player(try Animation(data: FilmCoder.file([5, 5, 5, 5]), coders: coder.registry))
        try player.animation.loadAllFrames()
        player.playback = .bounce
        player.rate = 2
        player.seek(toFrame: 2)
        player.play()
        stage.clock.run(to: 100)
        #expect(stage.drawn.events == [2, 3, 2, 1, 0])
        player.pause()
        player.seek(toFrame: 1, loop: 7)
        #expect(player.currentFrame == 1 && player.currentLoop == 7 && stage.drawn.events.last == 1)
    }

    @Test("the store observes its limit during playback")
    func budget() async throws {
        let coder = FilmCoder()
        // Memory for four frames of 8 x 6 pixels.
        let stage = Stage(limit: 4 * 6 * 64)
        let animation = try Animation(data: FilmCoder.file(Array(repeating: 5, count: 20)), coders: coder.registry)
        let player = stage.player(animation)
        player.play()
        var most = 0
        for count in 1...40 {
            await stage.draw(count)
            most = max(most, stage.store.byteCount)
        }
        #expect(stage.drawn.events.prefix(40) == (Array(0..<20) + Array(0..<20))[...])
        #expect(most <= 4 * 6 * 64 + 6 * 64)
        player.stop()
    }

    @Test("under memory pressure the store keeps the current and the next frame (B100)")
    func pressure() async throws {
        let coder = FilmCoder()
        let monitor = MemoryPressureMonitor()
        let stage = Stage(monitor: monitor)
        let animation = try Animation(data: FilmCoder.file(Array(repeating: 5, count: 12)), coders: coder.registry)
        let player = stage.player(animation)
        player.play()
        await stage.draw(24)
        #expect(stage.store.byteCount == 12 * 6 * 64)
        player.pause()
        monitor.report(.critical)
        #expect(stage.store.byteCount == 6 * 64)
    }

    @Test("decoding ends with the last player, and frames are released with the animation")
    func ends() async throws {
        let coder = FilmCoder()
        let stage = Stage()
        var animation: Animation? = try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry)
        var player: AnimationPlayer? = animation.map { stage.player($0) }
        player?.play()
        await stage.draw(6)
        player = nil
        #expect(stage.store.byteCount == 3 * 6 * 64)
        stage.clock.run(to: 10_000)
        #expect(stage.clock.dues == [])
        animation = nil
        #expect(stage.store.byteCount == 0 && stage.store.animationCount == 0)
    }

    /// The first frames of an arriving film.
    private func part(_ count: Int, _ coder: FilmCoder, isArriving: Bool = true) throws -> Animation {
        let data = FilmCoder.file(Array(repeating: 5, count: count))
        return Animation(
            data: data, header: try coder.header(of: data), coder: coder, options: DecodeOptions(),
            isArriving: isArriving)
    }

    @Test("more data of an arriving file continues playback, and no frame is decoded twice (X175)")
    func arrives() async throws {
        let coder = FilmCoder()
        let stage = Stage()
        let player = stage.player(try part(2, coder))
        player.play()
        await stage.draw(2)
        stage.clock.run(to: Int(stage.clock.now / .milliseconds(1)) + 1000)
        #expect(stage.drawn.events == [0, 1] && stage.clock.dues == [])
        player.replace(try part(4, coder, isArriving: false))
        await stage.draw(6)
        #expect(stage.drawn.events == [0, 1, 2, 3, 0, 1] && coder.decoded.events.sorted() == [0, 1, 2, 3])
        #expect(player.currentLoop == 1)
    }

    @Test("a frame that is decoded while more data arrives is drawn")
    func arrivesWithFrame() async throws {
        let work = BlockingWork()
        var coder = FilmCoder()
        coder.beforeFrame = { if $0 == 1 { work.block() } }
        let stage = Stage()
        let first = try part(2, coder)
        let player = stage.player(first)
        let observer = stage.store.join(first, after: nil) {}
        player.play()
        await stage.draw(1)
        await work.waitForStart()
        stage.clock.run(to: 1000)
        work.release()
        // In the same turn of the main actor, so that the player has not been told.
        while !observer.isSettled(1) {}
        player.replace(try part(4, coder))
        #expect(stage.drawn.events == [0, 1])
    }
}
