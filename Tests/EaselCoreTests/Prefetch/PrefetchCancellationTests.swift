import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Prefetcher: cancellation, priority and destinations", .timeLimit(.minutes(1)))
struct PrefetchCancellationTests {
    private func request(_ name: String, _ configure: (inout ImageRequest) -> Void = { _ in }) throws -> ImageRequest {
        try ManagerFixture.request("http://example.com/\(name).test", configure)
    }

    @Test("cancelling ends with a summary at once and cancels the downloads (X188 is not copied)")
    func cancel() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: Gate()))
        let prefetcher = ImagePrefetcher(manager: fixture.manager, limit: 1)
        let task = prefetcher.prefetch([try request("a"), try request("b")])
        try await until { fixture.loader.requests.count == 1 }
        task.cancel()
        task.cancel()
        let summary = await task.summary
        #expect(summary == PrefetchProgress(total: 2, isCancelled: true))
        try await until { fixture.loader.cancellations.count == 1 }
        #expect(!fixture.manager.isRunning)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("prefetches are independent, and cancelling one keeps the other's load of the same URL (X185, S164)")
    func others() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        let first = prefetcher.prefetch([try request("a")])
        let second = prefetcher.prefetch([try request("a")])
        try await until { fixture.loader.requests.count == 1 }
        first.cancel()
        gate.open()
        #expect(await first.summary.isCancelled)
        #expect(await second.summary.completed == 1)
        #expect(!(await second.summary.isCancelled))
    }

    /// Swift takes the same lock to resume a reader and to call its cancellation handler.
    @Test("a reader of the progress can cancel the prefetch when it is cancelled")
    func reader() async throws {
        for _ in 0..<100 {
            let fixture = ManagerFixture()
            let requests = try (0..<8).map { try request("\($0)") }
            let task = ImagePrefetcher(manager: fixture.manager).prefetch(requests)
            let reader = Task {
                await withTaskCancellationHandler {
                    for await _ in task.progress {}
                } onCancel: {
                    task.cancel()
                }
            }
            _ = await task.progress.first { $0.completed > 0 || $0.isCancelled }
            reader.cancel()
            await reader.value
            let summary = await task.summary
            #expect(summary.isCancelled || summary.completed == 8)
        }
    }

    @Test("cancelAll ends each prefetch with a summary, and the prefetcher can be used again")
    func cancelAll() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        let tasks = try ["a", "b"].map { prefetcher.prefetch([try request($0)]) }
        prefetcher.cancelAll()
        for task in tasks { #expect(await task.summary.isCancelled) }
        gate.open()
        #expect(await prefetcher.prefetch([try request("c")]).summary.finished == 1)
    }

    @Test("a load cancelled elsewhere counts as failed, and the other loads continue (X189)")
    func cancelledByManager() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: Gate()))
        let task = ImagePrefetcher(manager: fixture.manager).prefetch([try request("a"), try request("b")])
        fixture.manager.cancelAll()
        let summary = await task.summary
        #expect((summary.failed, summary.total) == (2, 2))
        #expect(summary.failures.values.map { $0 } == [.cancelled, .cancelled])
    }

    @Test("cancelling the task that waits for the summary cancels the prefetch")
    func waiter() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: Gate()))
        let task = ImagePrefetcher(manager: fixture.manager).prefetch([try request("a")])
        let waiter = Task { await task.summary }
        waiter.cancel()
        #expect(await waiter.value.isCancelled)
    }

    @Test("releasing the prefetcher and its tasks cancels the loads (B74)")
    func dropped() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: Gate()))
        var prefetcher: ImagePrefetcher? = ImagePrefetcher(manager: fixture.manager)
        var task = prefetcher?.prefetch([try request("a")])
        try await until { fixture.loader.requests.count == 1 }
        prefetcher = nil
        #expect(fixture.manager.isRunning)
        #expect(task != nil)
        task = nil
        try await until { fixture.loader.cancellations.count == 1 }
        #expect(!fixture.manager.isRunning)
    }

    @Test(
        "a download takes the priority of a view that loads it, at once (B60, P023)",
        arguments: [CacheLevels.all, .disk, .memory])
    func rises(levels: CacheLevels) async throws {
        let gate = Gate()
        let contexts = Recorder<LoadContext>()
        let loader = ScriptedLoader { _, context throws(ImageError) in
            contexts.record(context)
            do { try await gate.wait() } catch { throw .cancelled }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let fixture = ManagerFixture(loader: loader)
        let prefetch = ImagePrefetcher(manager: fixture.manager).prefetch([try request("a")], to: levels)
        await contexts.wait(for: 1)
        #expect(contexts.events[0].priority == .low)
        let view = fixture.manager.load(try request("a") { $0.priority = .high })
        try await until { contexts.events[0].priority == .high }
        view.cancel()
        try await until { contexts.events[0].priority == .low }
        prefetch.priority = .normal
        try await until { contexts.events[0].priority == .normal }
        gate.open()
        #expect(await prefetch.summary.finished == 1)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("prefetching to disk stores only the file and makes no image of the requested size (B75)")
    func toDisk() async throws {
        let fixture = ManagerFixture()
        let request = try request("a") { $0.targetSize = .pixels(width: 4, height: 4) }
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        #expect(await prefetcher.prefetch([request], to: .disk).summary.finished == 1)
        #expect(fixture.cache.storedFiles == [request.originalKey])
        #expect(fixture.cache.imageKeys.isEmpty)
        // The file is validated by decoding one pixel.
        #expect(fixture.coder.decodes.count == 1)
        #expect(await prefetcher.prefetch([request], to: .disk).summary.skipped == 1)
    }

    @Test("prefetching to disk does not read a cached file (B74)")
    func onDisk() async throws {
        try await TemporaryFolder.with { folder in
            var configuration = ImageManager.Configuration()
            configuration.cache = ImageCache(folder: folder.path)
            configuration.coders = CoderRegistry(decoders: [TestCoder()])
            let manager = ImageManager(configuration: configuration)
            let request = try request("a")
            // Not an image, so that reading it would fail.
            try await manager.cache.store(Data([1]), for: request.originalKey)
            let summary = await ImagePrefetcher(manager: manager).prefetch([request], to: .disk).summary
            #expect(summary == PrefetchProgress(skipped: 1, total: 1))
        }
    }

    @Test("prefetching to memory writes nothing to disk")
    func toMemory() async throws {
        let fixture = ManagerFixture()
        let request = try request("a") { $0.targetSize = .pixels(width: 4, height: 4) }
        let summary = await ImagePrefetcher(manager: fixture.manager).prefetch([request], to: .memory).summary
        #expect(summary.finished == 1)
        #expect(fixture.cache.files.isEmpty)
        #expect(try await fixture.manager.load(request).response.source == .memory)
    }
}
