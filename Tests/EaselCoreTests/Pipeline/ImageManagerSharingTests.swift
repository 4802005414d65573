import EaselCore
import EaselTesting
import TestSupport
import Testing

@Suite("Manager: shared work", .timeLimit(.minutes(1)))
struct ImageManagerSharingTests {
    @Test("64 concurrent loads of one URL share one download and one decode (S007, R003, R004, B55)")
    func equalLoads() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let request = try ManagerFixture.request()
        let tasks = (0..<64).map { _ in fixture.manager.load(request) }
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { #expect(try await task.response.image.size == PixelSize(8, 6)) }
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.coder.decodes.count == 1)
    }

    @Test("different sizes of one URL share the download (B56, X125, X143)")
    func differentSizes() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let tasks = try (1...4).map { side in
            fixture.manager.load(
                try ManagerFixture.request { $0.targetSize = .pixels(width: side, height: side) })
        }
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.coder.decodes.count == 4)
    }

    @Test("loads with different cache policies share the download (B55)")
    func policies() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let tasks = try [CachePolicy.standard, .forever, .standard].map { policy in
            fixture.manager.load(try ManagerFixture.request { $0.http.policy = policy })
        }
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("a shared prefix of transforms is applied once (B55)")
    func sharedTransforms() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let first = InvertTransform(name: "A")
        let remaining = [InvertTransform(name: "B"), InvertTransform(name: "C")]
        let tasks = try remaining.map { last in
            fixture.manager.load(
                try ManagerFixture.request { $0.transforms = [ImageTransform(first), ImageTransform(last)] })
        }
        // With progress, each has joined all of the work that it shares.
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { #expect(try await task.response.image.pixels[0, 0].blue == 255) }
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.coder.decodes.count == 1)
        #expect(first.runs.count == 1)
        #expect(remaining.map(\.runs.count) == [1, 1])
    }

    @Test("a load that starts before the file is stored uses it without a download (B56)")
    func beforeStored() async throws {
        let (storing, gate) = (Gate(), Gate())
        let cache = ScriptedCache {
            storing.open()
            try? await gate.wait()
        }
        let fixture = ManagerFixture(cache: cache)
        let first = fixture.manager.load(try ManagerFixture.request())
        try await storing.wait()
        let second = try ManagerFixture.request {
            $0.targetSize = .pixels(width: 4, height: 4)
            $0.options = []
        }
        #expect(try await fixture.manager.image(for: second).size == PixelSize(4, 3))
        gate.open()
        _ = try await first.response
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("an intermediate image in memory is used instead of the original (B67)")
    func intermediateInMemory() async throws {
        let fixture = ManagerFixture()
        let first = InvertTransform(name: "A")
        let prefix = try ManagerFixture.request { $0.transforms = [ImageTransform(first)] }
        _ = try await fixture.manager.load(prefix).response
        var pipeline = prefix
        pipeline.transforms.append(ImageTransform(InvertTransform(name: "B")))
        _ = try await fixture.manager.load(pipeline).response
        #expect(first.runs.count == 1)
        #expect(fixture.coder.decodes.count == 1)
    }

    @Test("cancelling one of two loads keeps the other (S164, B59)")
    func cancelOne() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let request = try ManagerFixture.request()
        let (first, second) = (fixture.manager.load(request), fixture.manager.load(request))
        // A load that receives progress has joined the shared work (B61).
        for task in [first, second] { await task.firstProgress() }
        first.cancel()
        gate.open()
        #expect(await first.outcome.error == .cancelled)
        #expect(try await second.response.image.size == PixelSize(8, 6))
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("cancelling the last load cancels the download, and nothing is written (B59)")
    func cancelAll() async throws {
        let requested = Gate()
        let finished = Gate()
        let loader = ScriptedLoader { _, _ throws(ImageError) in
            requested.open()
            defer { finished.open() }
            do { try await Gate().wait() } catch { throw .cancelled }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let fixture = ManagerFixture(loader: loader)
        let request = try ManagerFixture.request()
        let tasks = (0..<2).map { _ in fixture.manager.load(request) }
        try await requested.wait()
        fixture.manager.cancelAll()
        try await finished.wait()
        for task in tasks { #expect(await task.outcome.error == .cancelled) }
        #expect(fixture.cache.files.isEmpty)
        #expect(!fixture.manager.isRunning)
    }

    @Test("a failure reaches each load once (P003, B62)")
    func failureReachesAll() async throws {
        let gate = Gate()
        let loader = ScriptedLoader { _, context throws(ImageError) in
            context.report(received: 0, expected: 1)
            do { try await gate.wait() } catch { throw .cancelled }
            throw .status(404)
        }
        let fixture = ManagerFixture(loader: loader)
        let request = try ManagerFixture.request()
        let tasks = (0..<8).map { _ in fixture.manager.load(request) }
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { #expect(await task.outcome.error == .status(404)) }
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("requests with different identities share nothing (B26)")
    func identities() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let tasks = try ["a", "b"].map { token in
            fixture.manager.load(try ManagerFixture.request { $0.http.headers["Authorization"] = token })
        }
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.loader.requests.count == 2)
        #expect(fixture.cache.files.count == 2)
    }

    @Test("avoidCoalescing keeps loads separate (B66)")
    func withoutCoalescing() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let request = try ManagerFixture.request { $0.options = [.avoidCoalescing, .fromLoaderOnly] }
        let tasks = (0..<3).map { _ in fixture.manager.load(request) }
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(fixture.loader.requests.count == 3)
    }

    @Test("a load of the file and a load of the image share the download (B58)")
    func dataAndImage() async throws {
        let (gate, joined) = (Gate(), Gate())
        let loader = ScriptedLoader { _, context throws(ImageError) in
            context.report(received: 1, expected: 7)
            do { try await gate.wait() } catch { throw .cancelled }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let fixture = ManagerFixture(loader: loader)
        let request = try ManagerFixture.request()
        let image = fixture.manager.load(request)
        // A late subscriber receives the progress at once, which shows that it has joined (B61).
        async let file = fixture.manager.data(for: request) { _ in joined.open() }
        try await joined.wait()
        gate.open()
        _ = try await image.response
        #expect(try await file.data == TestCoder.file())
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("shared work has the highest current priority of its loads (B60)")
    func priority() async throws {
        let (requested, gate) = (Gate(), Gate())
        let loader = ScriptedLoader { _, context throws(ImageError) in
            #expect(context.priority == .low)
            requested.open()
            do { try await gate.wait() } catch { throw .cancelled }
            #expect(context.priority == .high)
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let fixture = ManagerFixture(loader: loader)
        let task = fixture.manager.load(try ManagerFixture.request { $0.priority = .low })
        try await requested.wait()
        task.priority = .high
        gate.open()
        _ = try await task.response
        #expect(fixture.loader.requests.count == 1)
    }
}
