import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

@Suite("Image manager: previews, alternatives and constrained networks")
struct OtherURLsTests {
    private typealias Fixture = CachedURLFixture

    private static let small = URL(string: "http://example.com/small.test") ?? URL(fileURLWithPath: "/")
    private static let third = URL(string: "http://other.com/c.test") ?? URL(fileURLWithPath: "/")
    private static let smallFile = TestCoder.file(width: 2, height: 2)

    /// Returns a loader with an answer for each URL; 404 for others.
    private func loader(_ files: [URL: Data]) -> ScriptedLoader {
        ScriptedLoader { request, _ throws(ImageError) in
            guard let file = files[request.url] else { throw .status(404) }
            return LoadedData(data: file, source: .network)
        }
    }

    // MARK: - Preview

    @Test("the preview of a request is shown before the image, and neither is cached as the other")
    func preview() async throws {
        let gate = Gate()
        let loader = ScriptedLoader { request, _ throws(ImageError) in
            if request.url == Self.small { return LoadedData(data: Self.smallFile, source: .network) }
            do { try await gate.wait() } catch { throw .cancelled }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        try await Fixture.with(loader: loader) { fixture in
            let task = fixture.manager.load(Fixture.request { $0.preview = .url(Self.small) })
            var previews: [String] = []
            for await event in task.events {
                switch event {
                case .preview(let response):
                    previews.append("preview \(response.image.size) \(response.url.lastPathComponent)")
                    gate.open()
                case .finished(.success(let response)):
                    previews.append("\(response.image.size) \(response.url.lastPathComponent)")
                default: break
                }
            }
            #expect(previews == ["preview \(PixelSize(2, 2)) small.test", "\(PixelSize(8, 6)) a.test"])
            #expect(fixture.cache.image(for: Fixture.request().key)?.size == PixelSize(8, 6))
            #expect(fixture.cache.image(for: Fixture.request(Self.small).key)?.size == PixelSize(2, 2))
        }
    }

    @Test("if the image is on disk, its preview is not requested")
    func cachedPreview() async throws {
        try await Fixture.with { fixture in
            try await fixture.load()
            try await fixture.cache.removeAll(from: .memory)
            // A task that never begins, so that the preview is decided in any case.
            let task = ImageTask(Fixture.request { $0.preview = .url(Self.small) })
            await fixture.manager.showPreview(of: task)?.value
            #expect(fixture.loader.requests.map(\.url) == [Fixture.url])
            try await fixture.load(Self.small)
            await fixture.manager.showPreview(of: task)?.value
            for await case .preview(let response) in task.events {
                #expect(response.url == Self.small)
                task.cancel()
            }
        }
    }

    @Test("a preview that is in memory is shown before the call returns")
    func previewInMemory() async throws {
        let gate = Gate()
        try await Fixture.with(loader: .blocked(by: gate)) { fixture in
            let image = try TestImage.gradient(3, 3).image()
            fixture.cache.store(image, for: Fixture.request(Self.small).key)
            let task = fixture.manager.load(Fixture.request { $0.preview = .url(Self.small) })
            for await case .preview(let response) in task.events {
                #expect(response.image.size == PixelSize(3, 3))
                task.cancel()
            }
        }
    }

    @Test("a preview never replaces an image, only a placeholder")
    func previewOrder() throws {
        let image = try TestImage.gradient(3, 3).image()
        let response = ImageResponse(image: image, source: .memory, request: Fixture.request())
        let recorder = Recorder<LoadEvent>()
        var state = TaskState()
        _ = state.addObserver { recorder.record($0) }
        state.receive(placeholder: response)
        state.receive(preview: response)
        state.receive(.preview(response))
        state.receive(preview: response)
        state.receive(.finished(.success(response)))
        state.receive(preview: response)
        _ = state.beginDelivering()
        while let delivery = state.nextDelivery() { delivery.observer(delivery.event) }
        #expect(recorder.events.count == 4)
    }

    @Test("previews change neither keys nor which loads are shared")
    func previewKeys() {
        let request = Fixture.request { $0.preview = .url(Self.small) }
        #expect(request.key == Fixture.request().key)
        #expect(WorkKey.load(request) == WorkKey.load(Fixture.request()))
    }

    // MARK: - Alternatives

    @Test("alternatives are tried in order after a failure of the server, and the result has the request's key")
    func alternatives() async throws {
        try await Fixture.with(loader: loader([Self.third: Self.smallFile])) { fixture in
            let request = Fixture.request { $0.alternatives = [Fixture.other, Self.third] }
            let response = try await fixture.manager.load(request).response
            #expect(response.image.size == PixelSize(2, 2))
            #expect(response.url == Self.third)
            #expect(fixture.loader.requests.map(\.url) == [Fixture.url, Fixture.other, Self.third])
            #expect(await fixture.manager.contains(Fixture.request()) == .all)
            #expect(await fixture.manager.contains(Fixture.request(Self.third)) == [])
        }
    }

    @Test(
        "an alternative is tried after a file that does not decode", arguments: [Data("TESTx".utf8), Data("none".utf8)])
    func damaged(file: Data) async throws {
        try await Fixture.with(loader: loader([Fixture.url: file, Fixture.other: Self.smallFile])) { fixture in
            let request = Fixture.request { $0.alternatives = [Fixture.other] }
            let first = try await fixture.manager.image(for: request).size
            #expect(first == PixelSize(2, 2))
            let second = try await fixture.manager.data(for: request).data
            #expect(second == Self.smallFile)
        }
    }

    @Test("the source of an alternative is reported from memory, from disk and for a thumbnail")
    func source() async throws {
        try await Fixture.with(loader: loader([Fixture.other: TestCoder.file()])) { fixture in
            let request = Fixture.request { $0.alternatives = [Fixture.other] }
            let thumbnail = Fixture.request {
                $0.alternatives = [Fixture.other]
                $0.targetSize = .pixels(width: 2, height: 2)
            }
            for each in [request, thumbnail] {
                for level in [ImageSource.network, .memory, .disk] {
                    if level == .disk { try await fixture.cache.removeAll(from: .memory) }
                    let response = try await fixture.manager.load(each).response
                    #expect(response.url == Fixture.other)
                    if each == request { #expect(response.source == level) }
                }
            }
            #expect(fixture.loader.requests.map(\.url) == [Fixture.url, Fixture.other])
        }
    }

    @Test("if all fail, the load ends once with the error of the request's own URL")
    func allFail() async throws {
        let loader = ScriptedLoader { request, _ throws(ImageError) in
            throw .status(request.url == Fixture.url ? 500 : 503)
        }
        try await Fixture.with(loader: loader) { fixture in
            let task = fixture.manager.load(Fixture.request { $0.alternatives = [Fixture.other] })
            #expect(await task.outcome.error == .status(500))
            #expect(fixture.loader.requests.count == 2)
        }
    }

    @Test("a URL that is blocked after a failure does not block its alternatives, and the other way round")
    func blocked() async throws {
        try await Fixture.with(loader: loader([Fixture.other: Self.smallFile])) { fixture in
            let request = Fixture.request {
                $0.alternatives = [Fixture.other]
                $0.cache.store = []
                $0.cache.storeOriginal = []
            }
            for _ in 0..<2 { _ = try await fixture.manager.image(for: request) }
            #expect(fixture.loader.requests.map(\.url) == [Fixture.url, Fixture.other, Fixture.other])
        }
    }

    @Test("alternatives are not tried after a cancellation, nor for a load from the cache only")
    func notTried() async throws {
        try await Fixture.with { fixture in
            let request = Fixture.request {
                $0.alternatives = [Fixture.other]
                $0.options = .fromCacheOnly
            }
            await #expect(throws: ImageError.notCached) { try await fixture.manager.image(for: request) }
            #expect(fixture.loader.requests.isEmpty)
            #expect(request.alternative(after: .cancelled) == nil)
        }
    }

    @Test("credentials go to alternatives of the same origin only, and the user stays part of the key")
    func credentials() {
        let request = Fixture.request {
            $0.http.headers = ["Authorization": "Bearer t", "X-User": "7", "Accept": "image/png"]
            $0.http.identityHeaders = ["X-User"]
            $0.http.credential = .basic(user: "u", password: "p")
            $0.alternatives = [Fixture.other, Self.third]
        }
        let same = request.alternative(after: .status(500))
        let foreign = same?.alternative(after: .status(500))
        #expect(same?.http == request.http && same?.url == Fixture.other)
        #expect(foreign?.url == Self.third && foreign?.http.credential == nil)
        #expect(foreign?.http.headers.fields.map(\.name) == ["Accept"])
        #expect(foreign?.key == request.key && foreign?.originalKey == request.originalKey)
        #expect(foreign?.originalKey.fileName == request.originalKey.fileName)
        #expect(foreign?.alternative(after: .status(500)) == nil)
    }

    @Test("a download is shared with a request that has other alternatives")
    func shared() {
        let request = Fixture.request { $0.alternatives = [Fixture.other] }
        #expect(WorkKey.file(request) == WorkKey.file(Fixture.request()))
        #expect(WorkKey.image(request) == WorkKey.image(Fixture.request()))
        #expect(WorkKey.load(request) != WorkKey.load(Fixture.request()))
    }

    // MARK: - Networks

    private func withConditions(
        _ conditions: NetworkConditions, _ files: [URL: Data], _ body: (CachedURLFixture) async throws -> Void
    ) async throws {
        try await Fixture.with(loader: loader(files), conditions: conditions, { _ in }, body)
    }

    @Test("on a constrained network a smaller image is loaded, and cached under its own URL")
    func smaller() async throws {
        try await withConditions(.constrained, [Self.small: Self.smallFile, Fixture.url: TestCoder.file()]) { fixture in
            let request = Fixture.request { $0.onLowData = .smaller(Self.small) }
            for source in [ImageSource.network, .memory] {
                let response = try await fixture.manager.load(request).response
                #expect(response.image.size == PixelSize(2, 2) && response.url == Self.small)
                #expect(response.source == source)
            }
            #expect(fixture.loader.requests.map(\.url) == [Self.small])
            #expect(await fixture.manager.contains(Fixture.request()) == [])
            #expect(await fixture.manager.contains(Fixture.request(Self.small)) == .all)
        }
    }

    @Test("on a constrained network a cached image is used, in memory and on disk")
    func cachedOnLowData() async throws {
        try await withConditions(.constrained, [Fixture.url: TestCoder.file()]) { fixture in
            try await fixture.load()
            for action in [ImageRequest.LowDataAction.smaller(Self.small), .cacheOnly] {
                try await fixture.cache.removeAll(from: .memory)
                for _ in 0..<2 {
                    let image = try await fixture.manager.image(for: Fixture.request { $0.onLowData = action })
                    #expect(image.size == PixelSize(8, 6))
                }
            }
            #expect(fixture.loader.requests.count == 1)
        }
    }

    @Test("without a constraint the image itself is loaded", arguments: [[], NetworkConditions.expensive])
    func unconstrained(conditions: NetworkConditions) async throws {
        try await withConditions(conditions, [Fixture.url: TestCoder.file()]) { fixture in
            let image = try await fixture.manager.image(for: Fixture.request { $0.onLowData = .cacheOnly })
            #expect(image.size == PixelSize(8, 6))
        }
    }

    @Test("cacheOnly on a constrained network ends with notCached")
    func cacheOnly() async throws {
        try await withConditions(.constrained, [Fixture.url: TestCoder.file()]) { fixture in
            await #expect(throws: ImageError.notCached) {
                try await fixture.manager.image(for: Fixture.request { $0.onLowData = .cacheOnly })
            }
            await #expect(throws: ImageError.notCached) {
                try await fixture.manager.data(for: Fixture.request { $0.onLowData = .cacheOnly })
            }
            #expect(fixture.loader.requests.isEmpty)
        }
    }

    @Test("offline, a load ends immediately with a cached image, even a stale one, or with the error `offline`")
    func offline() async throws {
        try await withConditions(.offline, [Fixture.url: TestCoder.file()]) { fixture in
            let request = Fixture.request { $0.http.policy = .standard }
            await #expect(throws: ImageError.offline) { try await fixture.manager.image(for: request) }
            await #expect(throws: ImageError.offline) { try await fixture.manager.data(for: request) }
            try await fixture.manager.store(TestCoder.file(), for: request)
            #expect(try await fixture.manager.image(for: request).size == PixelSize(8, 6))
            #expect(fixture.loader.requests.isEmpty)
        }
    }

    @Test("offline, a local alternative is used")
    func localAlternative() async throws {
        let local = URL(fileURLWithPath: "/image.test")
        try await withConditions(.offline, [local: Self.smallFile]) { fixture in
            let image = try await fixture.manager.image(for: Fixture.request { $0.alternatives = [local] })
            #expect(image.size == PixelSize(2, 2))
        }
    }

    @Test("offline, a request with `waitsForNetwork` waits")
    func waits() async throws {
        try await withConditions(.offline, [Fixture.url: TestCoder.file()]) { fixture in
            let image = try await fixture.manager.image(for: Fixture.request { $0.retry.waitsForNetwork = true })
            #expect(image.size == PixelSize(8, 6))
        }
    }
}
