import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: storing of decoded images", .timeLimit(.minutes(1)))
struct ImageManagerDecodedTests {
    private let clock = ManualClock()
    private let loader = ScriptedLoader()
    private let coder = TestCoder()

    private func withFixture(
        _ options: LoadOptions, _ change: (inout ImageRequest) -> Void = { _ in },
        _ body: (ImageManager, ImageCache, ImageRequest) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let cache = ImageCache(folder: folder.path) { $0.clock = LoadClock(clock) }
            var configuration = ImageManager.Configuration()
            configuration.cache = cache
            configuration.loader = loader
            configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
            let request = try ManagerFixture.request {
                $0.targetSize = .pixels(width: 4, height: 4)
                $0.options = options
                change(&$0)
            }
            try await body(ImageManager(configuration: configuration), cache, request)
            // Ends the wait for an idle time.
            clock.advance(by: .seconds(5))
        }
    }

    @Test("an image loaded for the first time is stored when the cache is idle, after its load")
    func fresh() async throws {
        try await withFixture([]) { manager, cache, request in
            let response = try await manager.load(request).response
            #expect(response.source == .network)
            #expect(await cache.decoded?.files.contains(request.diskKey) == false)
            #expect(await cache.decodedImage(for: request.diskKey)?.image.size == response.image.size)
            await cache.settle()
            #expect(await cache.decoded?.files.contains(request.diskKey) == true)
            withExtendedLifetime(response) {}
        }
    }

    @Test("with waitStoreCache the image is stored before the load ends (X056)")
    func waited() async throws {
        try await withFixture(.waitStoreCache) { manager, cache, request in
            _ = try await manager.load(request).response
            #expect(await cache.decoded?.files.contains(request.diskKey) == true)
        }
    }

    @Test("an image that is not stored in memory is written to disk at once")
    func notInMemory() async throws {
        try await withFixture([]) {
            $0.cache.store = .disk
        } _: { manager, cache, request in
            _ = try await manager.load(request).response
            let decoded = try #require(cache.decoded?.files)
            while await !decoded.contains(request.diskKey) { await Task.yield() }
        }
    }

    @Test("an image decoded again from its file is written to disk at once")
    func decodeAgain() async throws {
        try await withFixture([]) { manager, cache, request in
            try await manager.store(TestCoder.file(), for: request.adding(.waitStoreCache))
            let response = try await manager.load(request).response
            #expect(response.source == .disk && loader.requests.isEmpty)
            let decoded = try #require(cache.decoded?.files)
            while await !decoded.contains(request.diskKey) { await Task.yield() }
        }
    }
}
