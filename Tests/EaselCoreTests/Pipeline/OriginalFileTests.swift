import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

/// A delegate with default transforms.
private struct InvertingDelegate: ImageManagerDelegate {
    func imageManager(transformsFor request: ImageRequest) -> [ImageTransform] { [ImageTransform(InvertTransform())] }
}

@Suite("Image manager: caching of original files (X033, X034)")
struct OriginalFileTests {
    /// The source of a transform: the request, or the manager's delegate.
    enum Transforms: CaseIterable {
        case own
        case byDefault
    }

    private let cache = ScriptedCache()
    private let loader = ScriptedLoader()

    private func manager(_ transforms: Transforms) -> ImageManager {
        var configuration = ImageManager.Configuration()
        configuration.cache = cache
        configuration.loader = loader
        configuration.coders = CoderRegistry(decoders: [TestCoder()], encoders: [TestCoder()])
        if transforms == .byDefault { configuration.delegate = InvertingDelegate() }
        return ImageManager(configuration: configuration)
    }

    /// Returns a transformed request without a size.
    private func request(
        _ transforms: Transforms, _ configure: (inout ImageRequest) -> Void = { _ in }
    ) throws -> ImageRequest {
        try ManagerFixture.request {
            if transforms == .own { $0.transforms = [ImageTransform(InvertTransform())] }
            configure(&$0)
        }
    }

    /// Stores the original file in the cache, as after a load.
    private func putOriginal(_ cache: ScriptedCache) throws {
        cache.put(TestCoder.file(), for: try ManagerFixture.request().originalKey)
    }

    @Test("`storeOriginal` without disk omits the original of a transformed image", arguments: Transforms.allCases)
    func storeOriginal(transforms: Transforms) async throws {
        let request = try request(transforms) { $0.cache.storeOriginal = [] }
        let response = try await manager(transforms).load(request).response
        #expect(Set(cache.files.keys) == [response.request.key])
        #expect(response.request.key != request.originalKey)
    }

    @Test("`store` without disk still stores the original", arguments: Transforms.allCases)
    func store(transforms: Transforms) async throws {
        let request = try request(transforms) { $0.cache.store = .memory }
        _ = try await manager(transforms).load(request).response
        #expect(Set(cache.files.keys) == [request.originalKey])
    }

    @Test("`query` without disk still finds the original", arguments: Transforms.allCases)
    func query(transforms: Transforms) async throws {
        try putOriginal(cache)
        let request = try request(transforms) { $0.cache.query = .memory }
        #expect(try await manager(transforms).load(request).response.source == .disk)
        #expect(loader.requests.isEmpty)
    }

    @Test("`fromCacheOnly` finds the original too, in agreement with `contains`", arguments: Transforms.allCases)
    func fromCacheOnly(transforms: Transforms) async throws {
        try putOriginal(cache)
        let request = try request(transforms) {
            $0.cache.query = .memory
            $0.options.insert(.fromCacheOnly)
        }
        #expect(await manager(transforms).contains(request) == .disk)
        #expect(try await manager(transforms).load(request).response.source == .disk)
    }

    @Test("`queryOriginal` without disk does not find the original", arguments: Transforms.allCases)
    func queryOriginal(transforms: Transforms) async throws {
        try putOriginal(cache)
        let request = try request(transforms) { $0.cache.queryOriginal = [] }
        #expect(await manager(transforms).contains(request).isEmpty)
        #expect(try await manager(transforms).load(request).response.source == .network)
    }

    @Test("the original goes to `originalImageCache`, and the image to `imageCache`", arguments: Transforms.allCases)
    func caches(transforms: Transforms) async throws {
        let (images, files) = (ScriptedCache(), ScriptedCache())
        let request = try request(transforms) {
            $0.cache.imageCache = Identified(images)
            $0.cache.originalImageCache = Identified(files)
        }
        let response = try await manager(transforms).load(request).response
        #expect(Set(images.files.keys) == [response.request.key] && images.imageKeys == [response.request.key])
        #expect(Set(files.files.keys) == [request.originalKey] && files.imageKeys.isEmpty)
        #expect(cache.files.isEmpty && cache.imageKeys.isEmpty)
    }

    @Test("the cache levels also apply to an image with several transforms")
    func severalTransforms() async throws {
        let request = try request(.own) {
            $0.transforms.append(ImageTransform(InvertTransform(name: "Again")))
            $0.cache.store = .memory
            $0.cache.storeOriginal = []
        }
        _ = try await manager(.own).load(request).response
        #expect(cache.files.isEmpty)
    }

    // MARK: - Requests for the original

    @Test(
        "an untransformed original is stored on disk only if both fields include it",
        arguments: [(CacheLevels.all, CacheLevels.disk), (.all, [] as CacheLevels), (.memory, .disk), (.all, .memory)])
    func plainStore(store: CacheLevels, storeOriginal: CacheLevels) async throws {
        let request = try ManagerFixture.request {
            $0.cache.store = store
            $0.cache.storeOriginal = storeOriginal
        }
        _ = try await manager(.own).load(request).response
        #expect(cache.imageKeys == [request.key])
        #expect(cache.files.isEmpty != (store.contains(.disk) && storeOriginal.contains(.disk)))
    }

    @Test(
        "an untransformed original is found on disk only if both fields include it",
        arguments: [(CacheLevels.all, CacheLevels.disk), (.all, [] as CacheLevels), (.memory, .disk), (.all, .memory)])
    func plainQuery(query: CacheLevels, queryOriginal: CacheLevels) async throws {
        try putOriginal(cache)
        let request = try ManagerFixture.request {
            $0.cache.query = query
            $0.cache.queryOriginal = queryOriginal
        }
        let isFound = query.contains(.disk) && queryOriginal.contains(.disk)
        #expect(await manager(.own).contains(request) == (isFound ? .disk : []))
        #expect(try await manager(.own).load(request).response.source == (isFound ? .disk : .network))
    }

    @Test("an untransformed original uses the same cache as that of a transformed image")
    func plainCache() async throws {
        let (images, files) = (ScriptedCache(), ScriptedCache())
        let configure: (inout ImageRequest) -> Void = {
            $0.cache.imageCache = Identified(images)
            $0.cache.originalImageCache = Identified(files)
        }
        let manager = manager(.own)
        let plain = try ManagerFixture.request("http://example.com/a.test", configure)
        _ = try await manager.load(plain).response
        #expect(Set(files.files.keys) == [plain.originalKey] && files.imageKeys.isEmpty)
        #expect(images.files.isEmpty && images.imageKeys == [plain.key])
        images.forgetImages()
        #expect(try await manager.load(plain).response.source == .disk)
        images.forgetImages()
        #expect(try await manager.load(try request(.own, configure)).response.source == .disk)
        #expect(loader.requests.count == 1)
    }
}
