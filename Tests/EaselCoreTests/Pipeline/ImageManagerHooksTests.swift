import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

struct Delegate: ImageManagerDelegate {
    var shouldLoad: @Sendable (ImageRequest) -> Bool = { _ in true }
    var transforms: @Sendable (ImageRequest) -> [ImageTransform] = { _ in [] }
    var blockingTime: @Sendable (ImageError) -> Duration? = { $0.blockingTime }

    func imageManager(shouldLoad request: ImageRequest) -> Bool { shouldLoad(request) }
    func imageManager(transformsFor request: ImageRequest) -> [ImageTransform] { transforms(request) }
    func imageManager(blockingTimeFor request: ImageRequest, after error: ImageError) -> Duration? {
        blockingTime(error)
    }
}

@Suite("Manager: hooks of the configuration")
struct ImageManagerHooksTests {
    private let cache = ScriptedCache()
    private let coder = TestCoder()
    private let clock = ManualClock()

    private func manager(
        _ loader: ScriptedLoader, _ configure: (inout ImageManager.Configuration) -> Void
    ) -> ImageManager {
        var configuration = ImageManager.Configuration()
        configuration.cache = cache
        configuration.loader = loader
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        configuration.clock = LoadClock(clock)
        configure(&configuration)
        return ImageManager(configuration: configuration)
    }

    @Test("the key filter's text replaces the cache key of a URL (S057, X040)")
    func keyFilter() async throws {
        let loader = ScriptedLoader()
        let manager = manager(loader) { $0.keyFilter = { $0.query == nil ? nil : $0.path } }
        let first = try ManagerFixture.request("http://example.com/a.test?token=1")
        let second = try ManagerFixture.request("http://example.com/a.test?token=2")
        #expect(manager.cacheKey(for: first).text == "/a.test")
        #expect(manager.cacheKey(for: ImageRequest(first.url)) == manager.cacheKey(for: second))
        _ = try await manager.load(first).response
        #expect(try await manager.load(second).response.source == .memory)
        #expect(cache.storedFiles.map(\.text) == ["/a.test"])
        let plain = try ManagerFixture.request("http://example.com/a.test")
        #expect(manager.cacheKey(for: plain) == plain.originalKey)
    }

    @Test("the request's key takes precedence over the filter's, and both keep the identity (B26)")
    func requestKey() throws {
        let manager = manager(ScriptedLoader()) { $0.keyFilter = { _ in "filtered" } }
        var request = try ManagerFixture.request()
        request.http.headers["Authorization"] = "a"
        let text = manager.cacheKey(for: request).text
        #expect(text.hasPrefix("filtered#Identity("))
        request.cache.key = "own"
        #expect(manager.cacheKey(for: request).text.hasPrefix("own#Identity("))
        request.targetSize = .pixels(width: 4, height: 4)
        #expect(manager.cacheKey(for: request) == request.key)
    }

    @Test(
        "shouldLoad is called only on a miss, and false ends the load with notCached (S058, S070, X046)"
    )
    func mayLoad() async throws {
        let callCount = Counter()
        let loader = ScriptedLoader()
        let manager = manager(loader) {
            $0.delegate = Delegate(shouldLoad: { _ in
                callCount.add()
                return false
            })
        }
        let cached = try ManagerFixture.request("http://example.com/kept.test")
        cache.put(TestCoder.file(), for: cached.originalKey)
        _ = try await manager.load(cached).response
        #expect(callCount.count == 0)
        #expect(await manager.load(try ManagerFixture.request()).outcome.error == .notCached)
        #expect(callCount.count == 1)
        #expect(loader.requests.isEmpty)
    }

    @Test(
        "a refresh that is not allowed to load ends with the cached image (S067, S069)",
        arguments: [CachePolicy.forever, .standard])
    func refresh(policy: CachePolicy) async throws {
        let loader = ScriptedLoader()
        let manager = manager(loader) { $0.delegate = Delegate(shouldLoad: { _ in false }) }
        var request = try ManagerFixture.request()
        request.http.policy = policy
        cache.put(TestCoder.file(value: 7), for: request.originalKey)
        let response = try await manager.load(request.adding(.refreshCached)).response
        #expect(response.image.pixels[0, 0].blue == 7)
        #expect(loader.requests.isEmpty)
    }

    @Test("the delegate sets the blocking time of each failure (X048)")
    func blockingTime() async throws {
        let loader = ScriptedLoader { request, _ throws(ImageError) in
            throw .status(request.url.path == "/a.test" ? 500 : 404)
        }
        let manager = manager(loader) {
            $0.delegate = Delegate(blockingTime: { error in error == .status(500) ? .seconds(5) : nil })
        }
        let (server, missing) = (try ManagerFixture.request(), try ManagerFixture.request("http://example.com/b.test"))
        for request in [server, missing, server, missing] { _ = await manager.load(request).outcome }
        #expect(loader.requests.map(\.url) == [server.url, missing.url, missing.url])
        clock.advance(by: .seconds(5))
        #expect(await manager.load(server).outcome.error == .status(500))
    }

    @Test("one failed URL is forgotten, and the others are not (X040, R009)")
    func forgetFailure() async throws {
        let loader = ScriptedLoader { _, _ throws(ImageError) in throw .status(404) }
        let manager = manager(loader) { _ in }
        let requests = try ["a", "b"].map { try ManagerFixture.request("http://example.com/\($0).test") }
        for request in requests { _ = await manager.load(request).outcome }
        manager.forgetFailure(of: ImageRequest(requests[0].url))
        #expect(await manager.load(requests[0]).outcome.error == .status(404))
        guard await manager.load(requests[1]).outcome.error?.code == .blocked else {
            Issue.record("The other URL is not blocked.")
            return
        }
        #expect(loader.requests.count == 3)
    }

    @Test("the serializer sets the bytes that are stored, and the image is that of the download (X054)")
    func serializer() async throws {
        let manager = manager(ScriptedLoader()) {
            $0.serializer = { data, _ in data.dropLast() + [9] }
        }
        let request = try ManagerFixture.request()
        #expect(try await manager.image(for: request).pixels[0, 0].blue == 255)
        #expect(cache.files[request.originalKey] == TestCoder.file(value: 9))
    }

    @Test("a serializer that returns nil stores nothing and removes the cached file (X054)")
    func serializesNothing() async throws {
        let manager = manager(ScriptedLoader()) { $0.serializer = { _, _ in nil } }
        let request = try ManagerFixture.request()
        cache.put(TestCoder.file(value: 1), for: request.originalKey)
        _ = try await manager.load(request.adding(.fromLoaderOnly)).response
        #expect(cache.files.isEmpty)
    }

    @Test("the delegate's transforms apply to a request without transforms and are part of its key (S059, X040, R016)")
    func delegateTransforms() async throws {
        let transform = InvertTransform(name: "Default")
        let manager = manager(ScriptedLoader(file: TestCoder.file(value: 1))) {
            $0.delegate = Delegate(transforms: { _ in [ImageTransform(transform)] })
        }
        let request = try ManagerFixture.request()
        #expect(try await manager.image(for: request).pixels[0, 0].blue == 254)
        #expect(manager.cacheKey(for: request) != request.key)
        #expect(cache.files[request.originalKey] == TestCoder.file(value: 1))
        var custom = request
        custom.transforms = [ImageTransform(InvertTransform(name: "Own"))]
        #expect(manager.cacheKey(for: custom) == custom.key)
        _ = try await manager.image(for: custom)
        #expect(transform.runs.count == 1)
    }

    @Test("a request can exclude the delegate's transforms (X023)")
    func noTransforms() async throws {
        let transform = InvertTransform()
        let manager = manager(ScriptedLoader(file: TestCoder.file(value: 1))) {
            $0.delegate = Delegate(transforms: { _ in [ImageTransform(transform)] })
        }
        let request = try ManagerFixture.request { $0.avoidsDefaultTransforms = true }
        #expect(try await manager.image(for: request).pixels[0, 0].blue == 1)
        #expect(transform.runs.count == 0)
        #expect(manager.cacheKey(for: request) == request.key)
    }

    @Test("the options processor receives the delegate's transforms and determines the final request (X041)")
    func processorIsLast() async throws {
        let transform = InvertTransform()
        let manager = manager(ScriptedLoader { _, _ throws(ImageError) in throw .status(404) }) {
            $0.delegate = Delegate(transforms: { _ in [ImageTransform(transform)] })
            $0.optionsProcessor = { request in
                var request = request
                if request.transforms == [ImageTransform(transform)] { request.transforms = [] }
                request.priority = .high
                return request.adding(.retryFailed)
            }
        }
        let request = try ManagerFixture.request()
        #expect(manager.cacheKey(for: request) == request.key)
        for _ in 0..<2 { #expect(await manager.load(request).outcome.error == .status(404)) }
        #expect(manager.load(request).priority == .high)
    }
}
