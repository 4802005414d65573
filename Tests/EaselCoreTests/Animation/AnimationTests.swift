import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Animations", .timeLimit(.minutes(1)))
struct AnimationTests {
    @Test("the header has count, durations, loops and size, without decoding a frame (X154, X155, X169)")
    func header() throws {
        let coder = FilmCoder()
        let animation = try Animation(
            data: FilmCoder.file([5, 0, 1, 2], loops: 3), coders: coder.registry,
            options: DecodeOptions(targetSize: .pixels(width: 4, height: 4)))
        #expect(animation.frameCount == 4 && animation.loopCount == 3)
        // Durations below 11 ms become 100 ms.
        #expect(animation.durations == [.milliseconds(50), .milliseconds(100), .milliseconds(100), .milliseconds(20)])
        #expect(animation.duration == .milliseconds(270))
        #expect(animation.size == PixelSize(4, 3) && animation.framesByteCount == 4 * 3 * 64)
        #expect(coder.creations.events.isEmpty)
    }

    @Test("a frame without a duration gets 100 ms (X155)")
    func missingTime() {
        let header = ImageHeader(
            format: .gif, storedSize: PixelSize(1, 1), frameCount: 2, frameDurations: [.seconds(1)])
        let animation = Animation(data: Data(), header: header, coder: FilmCoder(), options: DecodeOptions())
        #expect(animation.durations == [.seconds(1), .milliseconds(100)])
    }

    @Test("a file that is not an animation is an error")
    func errors() {
        let coder = FilmCoder()
        #expect(throws: ImageError.badData("The film is damaged.")) {
            try Animation(data: FilmCoder.file([]), coders: coder.registry)
        }
        #expect(throws: ImageError.unsupported("test files contain no animations. Load it as an image.")) {
            try Animation(data: TestCoder.file(), coders: CoderRegistry(decoders: [TestCoder()]))
        }
        var limits = ImageLimits()
        limits.frames = 2
        #expect(throws: ImageError.tooLarge(.frames(3, limit: 2))) {
            try Animation(
                data: FilmCoder.file([5, 5, 5]), coders: coder.registry, options: DecodeOptions(limits: limits))
        }
    }

    @Test("one decoder returns frames in any order (X169)")
    func oneDecoder() throws {
        let coder = FilmCoder()
        // Uses no shared registry, in which animations of other tests could evict this decoder.
        let reader = try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry).reader
        for index in [0, 1, 2, 0] {
            #expect(try reader.frame(index) { false }.pixels[0, 0].blue == UInt8(index))
        }
        #expect(coder.creations.events.count == 1)
    }

    @Test("closing a reader does not wait for a running decode, which still returns its frame")
    func closing() async throws {
        let work = BlockingWork()
        var coder = FilmCoder()
        coder.beforeFrame = { if $0 == 1 { work.block() } }
        let reader = try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry).reader
        let frame = Task.detached(executorPreference: WorkerPool.pixels) { try reader.frame(1) { false } }
        await work.waitForStart()
        reader.close()
        // The next decode, with a new decoder, does not wait either.
        #expect(try reader.frame(2) { false }.pixels[0, 0].blue == 2)
        #expect(coder.creations.events.count == 2 && coder.decoded.events == [2])
        work.release()
        #expect(try await frame.value.pixels[0, 0].blue == 1)
    }

    @Test("frames are decoded in any order on the pixel threads (X169)")
    func frames() async throws {
        let threads = Recorder<String>()
        var coder = FilmCoder()
        coder.beforeFrame = { _ in threads.record(CurrentThread().name) }
        let animation = try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry)
        for index in [0, 1, 2, 0] {
            let frame = try await animation.frame(at: index)
            #expect(frame.pixels[0, 0].blue == UInt8(index) && frame.metadata.frameIndex == index)
        }
        if CurrentThread.hasName { #expect(Set(threads.events) == ["easel-pixels"]) }
        await #expect(throws: ImageError.unsupported("There is no such frame.")) {
            try await animation.frame(at: 3)
        }
    }

    @Test("all frames can be kept and then count as memory, unless they exceed the limit (X011, X169)")
    func loading() async throws {
        let coder = FilmCoder()
        let animation = try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry)
        let cost = animation.memoryCost
        try animation.loadAllFrames(limit: animation.framesByteCount - 1)
        #expect(!animation.isLoaded && coder.decoded.events.isEmpty)
        try animation.loadAllFrames()
        #expect(animation.isLoaded && animation.memoryCost == cost + 2 * 6 * 64)
        #expect(try await animation.frame(at: 2).pixels[0, 0].blue == 2)
        #expect(coder.decoded.events == [0, 1, 2])
    }

    @Test("frames of a transformed animation are transformed when decoded (X010)")
    func transforms() async throws {
        let coder = FilmCoder()
        let invert = InvertTransform()
        let animation = try Animation(data: FilmCoder.file([5, 5, 5]), coders: coder.registry)
            .applying([ImageTransform(invert)])
        #expect(invert.runs.count == 0)
        #expect(try await animation.frame(at: 2).pixels[0, 0].blue == 253)
        #expect(invert.runs.count == 1)
    }

    @Test("transforming an image also transforms its animation")
    func image() async throws {
        let coder = FilmCoder()
        let image = try coder.registry.image(in: FilmCoder.file([5, 5]), DecodeOptions(), [])
        let transform = ImageTransform(InvertTransform())
        let result = try image.applying([transform])
        #expect(result.animation?.transforms == [transform])
        #expect(result.animation?.keptFrames[0]?[0, 0].blue == 255)
        #expect(image.animation?.transforms == [])
    }
}
