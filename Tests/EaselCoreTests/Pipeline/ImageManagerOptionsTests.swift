import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

/// Combinations of options in one request.
@Suite("Manager: combined options", .timeLimit(.minutes(1)))
struct ImageManagerOptionsTests {
    private let fixture = ManagerFixture(loader: ScriptedLoader(file: TestCoder.file(value: 1)))

    private func request(
        _ options: LoadOptions, _ configure: (inout ImageRequest) -> Void = { _ in }
    ) throws -> ImageRequest {
        try ManagerFixture.request {
            $0.options.formUnion(options)
            configure(&$0)
        }
    }

    private func words(_ task: ImageTask) async -> [String] {
        await task.allEvents.compactMap { event in
            switch event {
            case .progress: nil
            case .cached(let response): "cached \(response.image.pixels[0, 0].blue)"
            case .preview(let response): "preview \(response.image.pixels[0, 0].blue)"
            case .finished(.success(let response)): "finished \(response.image.pixels[0, 0].blue)"
            case .finished(.failure(let error)): error.code.rawValue
            }
        }
    }

    @Test("refreshCached with fromCacheOnly delivers the cached image without a load (X007, X047)")
    func refreshFromCacheOnly() async throws {
        let request = try request([.refreshCached, .fromCacheOnly])
        #expect(await words(fixture.manager.load(request)) == ["notCached"])
        fixture.cache.put(TestCoder.file(value: 7), for: request.originalKey)
        #expect(await words(fixture.manager.load(request)) == ["cached 7", "finished 7"])
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test("refreshCached with fromLoaderOnly ignores the cache and loads once (X008, X047)")
    func refreshFromLoaderOnly() async throws {
        let request = try request([.refreshCached, .fromLoaderOnly])
        fixture.cache.put(TestCoder.file(value: 7), for: request.originalKey)
        #expect(await words(fixture.manager.load(request)) == ["finished 1"])
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("fromCacheOnly with fromLoaderOnly is a miss (X007, X008)")
    func neither() async throws {
        let request = try request([.fromCacheOnly, .fromLoaderOnly])
        fixture.cache.put(TestCoder.file(value: 7), for: request.originalKey)
        #expect(await words(fixture.manager.load(request)) == ["notCached"])
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test("fromLoaderOnly with queryMemoryData returns the loader's image and bytes (X005, X008)")
    func loaderOnlyWithData() async throws {
        let request = try request([.fromLoaderOnly, .queryMemoryData])
        fixture.cache.put(TestCoder.file(value: 7), for: request.originalKey)
        let response = try await fixture.manager.load(request).response
        #expect(response.source == .network && response.data == TestCoder.file(value: 1))
    }

    @Test("queryMemoryData without a file on disk still returns the image (X005)")
    func noData() async throws {
        let request = try request(.queryMemoryData) {
            $0.cache.store = .memory
            $0.cache.storeOriginal = []
        }
        _ = try await fixture.manager.load(request).response
        let response = try await fixture.manager.load(request).response
        #expect(response.source == .memory && response.data == nil)
    }

    @Test(
        "a request that stores only in memory writes no image, file or refreshed file to disk (S079, S098, X002)"
    )
    func memoryOnly() async throws {
        var request = try request([]) {
            $0.targetSize = .pixels(width: 4, height: 4)
            $0.cache.store = .memory
            $0.cache.storeOriginal = []
        }
        _ = try await fixture.manager.load(request).response
        #expect(fixture.cache.imageKeys == [request.key])
        request.targetSize = .original
        request.options.insert(.refreshCached)
        _ = try await fixture.manager.load(request).response
        #expect(fixture.cache.files.isEmpty)
        #expect(fixture.loader.requests.allSatisfy { $0.http.partialFolder == nil })
    }

    @Test("the priority reaches the loader, and loads that differ in it share their work (S078, S085, S090, X117)")
    func priorities() async throws {
        let gate = Gate()
        let loader = ScriptedLoader { _, context throws(ImageError) in
            context.report(received: 0, expected: 7)
            do { try await gate.wait() } catch { throw .cancelled }
            #expect(context.priority == .high)
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let fixture = ManagerFixture(loader: loader)
        let tasks = try [LoadPriority.low, .high].map { priority in
            fixture.manager.load(try request([]) { $0.priority = priority })
        }
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(tasks.map(\.priority) == [.low, .high])
        #expect(loader.requests.count == 1)
    }

    @Test("waitStoreCache waits for the serialized file and the transformed image (X013)")
    func waitWithSerializer() async throws {
        let (storing, gate) = (Gate(), Gate())
        let cache = ScriptedCache {
            storing.open()
            try? await gate.wait()
        }
        let fixture = ManagerFixture(cache: cache)
        let task = fixture.manager.load(
            try request(.waitStoreCache) {
                $0.transforms = [ImageTransform(InvertTransform())]
                $0.cache.serializer = Identified("nine") { data, _ in data.dropLast() + [9] }
            })
        try await storing.wait()
        #expect(task.currentOutcome == nil)
        gate.open()
        _ = try await task.response
        #expect(cache.files[task.request.originalKey] == TestCoder.file(value: 9))
        #expect(cache.files[task.request.key] != nil)
    }

    @Test("without waitStoreCache the load ends before the cache is written (X056)")
    func doesNotWait() async throws {
        let gate = Gate()
        let cache = ScriptedCache { try? await gate.wait() }
        let fixture = ManagerFixture(cache: cache)
        var request = try request([])
        request.options = []
        _ = try await fixture.manager.load(request).response
        #expect(cache.files.isEmpty)
        gate.open()
    }

    @Test("retryFailed with fromCacheOnly loads nothing and keeps the failure (S077, X007)")
    func retryFromCacheOnly() async throws {
        let fixture = ManagerFixture(loader: ScriptedLoader { _, _ throws(ImageError) in throw .status(404) })
        _ = await fixture.manager.load(try request([])).outcome
        #expect(await words(fixture.manager.load(try request([.retryFailed, .fromCacheOnly]))) == ["notCached"])
        #expect(await words(fixture.manager.load(try request([]))) == ["blocked"])
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("a successful download with retryFailed clears the failure of its URL (S075)")
    func successForgets() async throws {
        let attempts = Counter()
        let loader = ScriptedLoader { _, _ throws(ImageError) in
            attempts.add()
            if attempts.count != 2 { throw .status(404) }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let fixture = ManagerFixture(loader: loader)
        let fresh: LoadOptions = [.fromLoaderOnly]
        #expect(await fixture.manager.load(try request(fresh)).outcome.error == .status(404))
        #expect(await fixture.manager.load(try request([.retryFailed, .fromLoaderOnly])).outcome.error == nil)
        #expect(await fixture.manager.load(try request(fresh)).outcome.error == .status(404))
    }

    @Test("a refresh that fails delivers the cached image and then the error (X047)")
    func failedRefresh() async throws {
        let fixture = ManagerFixture(loader: ScriptedLoader { _, _ throws(ImageError) in throw .status(503) })
        let request = try request(.refreshCached)
        fixture.cache.put(TestCoder.file(value: 7), for: request.originalKey)
        #expect(await words(fixture.manager.load(request)) == ["cached 7", "status"])
    }

    @Test("a target size takes precedence over scaleDownLargeImages, and each has its own key (X030)")
    func scaleDown() throws {
        let scaled = try request(.scaleDownLargeImages)
        let both = try request(.scaleDownLargeImages) { $0.targetSize = .pixels(width: 4, height: 4) }
        #expect(scaled.decodedSize == .scaledDown(bytes: 60 << 20))
        #expect(both.decodedSize == .pixels(width: 4, height: 4))
        #expect(Set([scaled.key, both.key, scaled.originalKey]).count == 3)
    }
}

@Suite("Progressive loads with other options", .timeLimit(.minutes(1)))
struct ProgressiveOptionsTests {
    private let gates = [Gate(), Gate()]

    @Test("previews of a thumbnail are decoded at its size and not cached (S080, X003)")
    func thumbnail() async throws {
        let fixture = PreviewFixture()
        fixture.answer(scans: [9, 9], gates: gates)
        let request = try fixture.request(.progressive) { $0.targetSize = .pixels(width: 1, height: 1) }
        let words = await fixture.manager.load(request).widths(opening: gates)
        #expect(words.first == "preview 1" && words.last == "finished 2")
        #expect(fixture.cache.imageKeys == [request.key])
        #expect(fixture.coder.sizes == [.pixels(width: 1, height: 1)])
    }

    @Test("fromCacheOnly delivers no preview (X007)")
    func fromCacheOnly() async throws {
        let fixture = PreviewFixture()
        let task = fixture.manager.load(try fixture.request([.progressive, .fromCacheOnly]))
        #expect(await task.widths(opening: []) == ["finished notCached"])
    }
}
