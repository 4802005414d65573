import EaselCore
import EaselTesting
import TestSupport
import Testing

@Suite("Manager: other sizes in memory (B16, B17)")
struct ImageManagerVariantTests {
    private let fixture: ManagerFixture
    private let manager: ImageManager

    /// Every URL returns an image of 8 x 6.
    init() {
        fixture = ManagerFixture()
        var configuration = ImageManager.Configuration()
        configuration.cache = ImageCache(folder: nil as String?)
        configuration.loader = fixture.loader
        configuration.coders = CoderRegistry(decoders: [fixture.coder], encoders: [fixture.coder])
        manager = ImageManager(configuration: configuration)
    }

    private func load(
        _ side: Int?, _ precision: SizePrecision = .exact, _ more: (inout ImageRequest) -> Void = { _ in }
    ) async throws -> ImageResponse {
        let request = try ManagerFixture.request {
            if let side { $0.targetSize = .pixels(width: side, height: side) }
            $0.precision = precision
            more(&$0)
        }
        return try await manager.load(request).response
    }

    @Test("a larger image is used before the call returns if the request allows it (B16)")
    func larger() async throws {
        _ = try await load(8)
        let request = try ManagerFixture.request {
            $0.targetSize = .pixels(width: 4, height: 4)
            $0.precision = .atLeast
        }
        let task = manager.load(request)
        #expect(!manager.isRunning)
        #expect(try await task.response.image.size == PixelSize(8, 6))
        #expect(try await task.response.source == .memory)
        #expect(fixture.coder.decodes.count == 1)
    }

    @Test("a larger image is not used if the size must be exact (B16)")
    func exact() async throws {
        _ = try await load(8)
        let response = try await load(4)
        #expect(response.image.size == PixelSize(4, 3))
        #expect(response.source != .memory)
    }

    @Test("a smaller image is never used", arguments: SizePrecision.allCases)
    func smaller(precision: SizePrecision) async throws {
        _ = try await load(4)
        #expect(try await load(8, precision).image.size == PixelSize(8, 6))
        #expect(fixture.coder.decodes.count == 2)
    }

    @Test("an original smaller than every target size is decoded once (B17)")
    func small() async throws {
        _ = try await load(nil)
        #expect(try await load(100).source == .memory)
        #expect(try await load(2_000).source == .memory)
        #expect(fixture.coder.decodes.count == 1)
    }

    @Test("images with other transforms, frames or URLs are not used")
    func others() async throws {
        _ = try await load(8)
        let invert = ImageTransform(InvertTransform())
        #expect(try await load(4, .atLeast) { $0.transforms = [invert] }.source != .memory)
        #expect(try await load(4, .atLeast) { $0.frame = 1 }.source != .memory)
        #expect(try await load(4, .atLeast) { $0.cache.key = "other" }.source != .memory)
    }

    @Test("a larger image with the same transforms is used")
    func transformed() async throws {
        let invert = ImageTransform(InvertTransform())
        _ = try await load(8) { $0.transforms = [invert] }
        let response = try await load(4, .atLeast) { $0.transforms = [invert] }
        #expect(response.source == .memory)
        #expect(response.image.pixels[0, 0].blue == 0)
    }

    @Test("fromLoaderOnly, and a query without memory, ignore a larger image")
    func passedOver() async throws {
        _ = try await load(8)
        #expect(try await load(4, .atLeast) { $0.options.insert(.fromLoaderOnly) }.source == .network)
        _ = try await load(8)
        #expect(try await load(5, .atLeast) { $0.cache.query = .disk }.source == .network)
    }

    @Test("a thumbnail read from its own file is not mistaken for an original of that size")
    func storedVariant() async throws {
        try await TemporaryFolder.with { folder in
            var configuration = ImageManager.Configuration()
            let cache = ImageCache(folder: folder.path)
            configuration.cache = cache
            configuration.loader = fixture.loader
            configuration.coders = CoderRegistry(decoders: [fixture.coder], encoders: [fixture.coder])
            let manager = ImageManager(configuration: configuration)
            let small = try ManagerFixture.request { $0.targetSize = .pixels(width: 4, height: 4) }
            try await cache.store(TestCoder.file(width: 4, height: 3), for: small.key)
            #expect(try await manager.load(small).response.source == .disk)
            let large = try ManagerFixture.request { $0.targetSize = .pixels(width: 6, height: 6) }
            #expect(try await manager.load(large).response.image.size == PixelSize(6, 5))
        }
    }
}
