import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Loading animations", .timeLimit(.minutes(1)))
struct AnimatedLoadTests {
    private static let file = FilmCoder.file([5, 5, 5], width: 40, height: 20)
    private let coder = FilmCoder()
    private let cache = ScriptedCache()
    private let loader = ScriptedLoader(file: file)
    private let manager: ImageManager

    init() {
        var configuration = ImageManager.Configuration()
        configuration.cache = cache
        configuration.loader = loader
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        manager = ImageManager(configuration: configuration)
    }

    private func load(_ configure: (inout ImageRequest) -> Void = { _ in }) async throws -> ImageResponse {
        try await manager.load(ManagerFixture.request("http://example.com/a.test", configure)).response
    }

    @Test("a load returns the first frame with its animation, which memory hits share (X169, X174)")
    func delivers() async throws {
        let image = try await load().image
        let animation = try #require(image.animation)
        #expect(image.pixels[0, 0].blue == 0 && animation.frameCount == 3 && !animation.isArriving)
        #expect(try await animation.frame(at: 2).pixels[0, 0].blue == 2)
        let again = try await load()
        #expect(again.source == .memory && again.image.animation === animation)
        // The image keeps the file (B13).
        #expect(image.memoryCost >= image.pixels.byteCount + Self.file.count)
    }

    @Test("a file of one frame is a still image (B100), and so is a frame requested by index")
    func stills() async throws {
        let single = ScriptedLoader(file: FilmCoder.file([5]))
        var configuration = ImageManager.Configuration()
        configuration.loader = single
        configuration.coders = coder.registry
        let request = try ManagerFixture.request()
        #expect(try await ImageManager(configuration: configuration).image(for: request).animation == nil)
        let second = try await load { $0.frame = 1 }.image
        #expect(second.animation == nil && second.pixels[0, 0].blue == 1)
    }

    @Test("decodeFirstFrameOnly returns a still image, also of an animation in memory, without decoding (X010)")
    func firstFrame() async throws {
        let cached = try await load().image
        let still = try await load { $0.options.insert(.decodeFirstFrameOnly) }
        #expect(still.source == .memory && still.image.animation == nil)
        #expect(still.image.pixels[0, 0].blue == 0 && cached.animation != nil)
        #expect(try await load().image.animation != nil)
    }

    @Test("a cached first frame is not returned for the animation, from memory or disk (X010)")
    func notTheAnimation() async throws {
        let size = TargetSize.pixels(width: 10, height: 10)
        let still = try await load {
            $0.options.insert(.decodeFirstFrameOnly)
            $0.targetSize = size
        }
        #expect(still.image.animation == nil && cache.storedFiles.count == 2)
        let animated = try await load { $0.targetSize = size }
        #expect(animated.image.animation?.size == PixelSize(10, 5) && loader.requests.count == 1)
        cache.forgetImages()
        let reloaded = try await load {
            $0.options.insert(.decodeFirstFrameOnly)
            $0.targetSize = size
        }
        #expect(reloaded.source == .disk && reloaded.image.animation == nil)
        // Now the still image is in memory.
        #expect(try await load { $0.targetSize = size }.image.animation != nil)
    }

    @Test("frames of a thumbnail have its size, and only the original is stored on disk")
    func thumbnails() async throws {
        for _ in 0..<2 {
            let image = try await load { $0.targetSize = .pixels(width: 20, height: 20) }.image
            let animation = try #require(image.animation)
            #expect(image.size == PixelSize(20, 10) && animation.size == PixelSize(20, 10))
            #expect(try await animation.frame(at: 1).size == PixelSize(20, 10))
            #expect(cache.storedFiles == [try ManagerFixture.request().originalKey])
            cache.forgetImages()
        }
        #expect(loader.requests.count == 1)
    }

    @Test("transforms apply to still images, and to animations only with transformAnimatedImage (S087, X010)")
    func transforms() async throws {
        let invert = ImageTransform(InvertTransform())
        let plain = try await load { $0.transforms = [invert] }.image
        #expect(plain.pixels[0, 0].blue == 0 && !plain.metadata.isTransformed && plain.animation?.transforms == [])
        let transformed = try await load {
            $0.transforms = [invert]
            $0.options.insert(.transformAnimatedImage)
        }.image
        #expect(transformed.pixels[0, 0].blue == 255 && transformed.animation?.transforms == [invert])
        #expect(try await transformed.animation?.frame(at: 1).pixels[0, 0].blue == 254)
        let still = try await load {
            $0.transforms = [invert]
            $0.options.insert(.decodeFirstFrameOnly)
        }.image
        #expect(still.pixels[0, 0].blue == 255 && still.animation == nil)
        // Neither is returned for the other.
        #expect(try await load { $0.transforms = [invert] }.image.pixels[0, 0].blue == 0)
        #expect(loader.requests.count == 1)
    }

    @Test("loads with different frame options share the download (B57)")
    func shared() async throws {
        let gate = Gate()
        let loader = ScriptedLoader.blocked(by: gate, file: Self.file)
        var configuration = ImageManager.Configuration()
        configuration.loader = loader
        configuration.coders = coder.registry
        let manager = ImageManager(configuration: configuration)
        let options: [LoadOptions] = [[], .decodeFirstFrameOnly, .transformAnimatedImage, .preloadAllFrames]
        let tasks = try options.map { option in
            manager.load(try ManagerFixture.request { $0.options = option })
        }
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(loader.requests.count == 1)
    }

    @Test("preloadAllFrames finishes the load with all frames decoded (X011)")
    func preloads() async throws {
        let image = try await load { $0.options.insert(.preloadAllFrames) }.image
        #expect(image.animation?.isLoaded == true && coder.decoded.events == [1, 2])
    }

    @Test("limits are checked before the animation is created")
    func limits() async throws {
        await #expect(throws: ImageError.tooLarge(.frames(3, limit: 2))) {
            try await load { $0.limits.frames = 2 }
        }
    }

    @Test("an animation that the caller stores is written as its file")
    func keeps() async throws {
        let image = try coder.registry.image(in: Self.file, DecodeOptions(), [])
        try await manager.store(image, for: try ManagerFixture.request())
        #expect(cache.files.values.map(\.self) == [Self.file])
        #expect(try await load().image.animation != nil && loader.requests.isEmpty)
    }

    @Test("a cache without disk returns the animation")
    func query() async throws {
        let cache = ImageCache(folder: nil as String?)
        let image = try coder.registry.image(in: Self.file, DecodeOptions(), [])
        cache.store(image, for: CacheKey("a"))
        #expect(cache.image(for: CacheKey("a"))?.animation === image.animation)
    }
}
