import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: storing images and files directly")
struct ImageManagerStoringTests {
    private let fixture = ManagerFixture()

    private func image(_ value: UInt8) throws -> DecodedImage {
        try fixture.coder.decode(TestCoder.file(value: value), DecodeOptions())
    }

    @Test("a stored image is returned for its URL, from memory and from disk (S052)")
    func image() async throws {
        let request = try ManagerFixture.request()
        try await fixture.manager.store(try image(7), for: request)
        #expect(try await fixture.manager.load(request).response.source == .memory)
        fixture.cache.forgetImages()
        let response = try await fixture.manager.load(request).response
        #expect(response.source == .disk && response.image.pixels[0, 0].blue == 7)
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test("an image is stored in the given levels", arguments: [[], CacheLevels.memory, .disk, .all])
    func levels(levels: CacheLevels) async throws {
        let request = try ManagerFixture.request { $0.targetSize = .pixels(width: 4, height: 4) }
        try await fixture.manager.store(try image(7), for: request, in: levels)
        #expect(fixture.cache.imageKeys == (levels.contains(.memory) ? [request.key] : []))
        #expect(Set(fixture.cache.files.keys) == (levels.contains(.disk) ? [request.key] : []))
    }

    @Test("a stored thumbnail belongs to the cached file and is used")
    func variant() async throws {
        let original = try ManagerFixture.request()
        _ = try await fixture.manager.load(original).response
        var request = original
        request.targetSize = .pixels(width: 4, height: 4)
        try await fixture.manager.store(try image(7), for: request, in: .disk)
        let response = try await fixture.manager.load(request).response
        #expect(response.source == .disk && response.image.pixels[0, 0].blue == 7)
    }

    @Test("a stored file replaces the image of its URL, in memory too (S052)")
    func file() async throws {
        let request = try ManagerFixture.request()
        _ = try await fixture.manager.load(request).response
        try await fixture.manager.store(TestCoder.file(value: 7), for: request)
        let response = try await fixture.manager.load(request).response
        #expect(response.source == .disk && response.image.pixels[0, 0].blue == 7)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("a stored image replaces the one in memory at once")
    func replaced() async throws {
        let request = try ManagerFixture.request()
        _ = try await fixture.manager.load(request).response
        try await fixture.manager.store(try image(7), for: request)
        let response = try await fixture.manager.load(request).response
        #expect(response.source == .memory && response.image.pixels[0, 0].blue == 7)
    }

    @Test("a file that cannot be decoded is not stored", arguments: [Data("no image".utf8), Data("TEST".utf8)])
    func damaged(data: Data) async throws {
        let request = try ManagerFixture.request()
        do {
            try await fixture.manager.store(data, for: request)
            Issue.record("It was stored.")
        } catch {
            guard error.code == .badData else {
                Issue.record(error)
                return
            }
        }
        #expect(fixture.cache.files.isEmpty)
    }

    @Test("a partial image is not stored (X055)")
    func partial() async throws {
        var image = try image(7)
        image.metadata.isPartial = true
        try await fixture.manager.store(image, for: try ManagerFixture.request())
        #expect(fixture.cache.files.isEmpty && fixture.cache.imageKeys.isEmpty)
    }

    @Test("contains returns the levels in which a load would find the image or its original (S055, S056)")
    func contains() async throws {
        try await TemporaryFolder.with { folder in
            var configuration = ImageManager.Configuration()
            configuration.cache = ImageCache(folder: folder.path)
            configuration.coders = CoderRegistry(decoders: [TestCoder()], encoders: [TestCoder()])
            let manager = ImageManager(configuration: configuration)
            let request = try ManagerFixture.request()
            var thumbnail = request
            thumbnail.targetSize = .pixels(width: 4, height: 4)
            #expect(await manager.contains(request) == [])
            try await manager.store(try image(7), for: request)
            #expect(await manager.contains(request) == .all)
            #expect(await manager.contains(request, in: .memory) == .memory)
            #expect(await manager.contains(thumbnail) == .disk)
            thumbnail.cache.queryOriginal = []
            #expect(await manager.contains(thumbnail) == [])
        }
    }
}
