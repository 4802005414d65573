import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Prefetcher", .timeLimit(.minutes(1)))
struct ImagePrefetcherTests {
    private func requests(_ names: [String]) throws -> [ImageRequest] {
        try names.map { try ManagerFixture.request("http://example.com/\($0).test") }
    }

    @Test("prefetched images are in memory and on disk, and a load of them sends no request (S169)")
    func loads() async throws {
        let fixture = ManagerFixture()
        let requests = try requests(["a", "b", "c", "d"])
        let summary = await ImagePrefetcher(manager: fixture.manager).prefetch(requests).summary
        #expect(summary == PrefetchProgress(finished: 4, total: 4))
        #expect(fixture.cache.files.count == 4)
        for request in requests {
            #expect(try await fixture.manager.load(request).response.source == .memory)
        }
        #expect(fixture.loader.requests.count == 4)
        #expect(fixture.loader.requests.allSatisfy { $0.priority == .low })
    }

    @Test("images in memory or on disk are skipped (B74)")
    func skips() async throws {
        let fixture = ManagerFixture()
        let requests = try requests(["a", "b", "c"])
        _ = try await fixture.manager.load(requests[0]).response
        fixture.cache.put(TestCoder.file(), for: requests[1].originalKey)
        let summary = await ImagePrefetcher(manager: fixture.manager).prefetch(requests).summary
        #expect(summary == PrefetchProgress(finished: 1, skipped: 2, total: 3))
        #expect(fixture.loader.requests.count == 2)
    }

    @Test("equal requests are loaded once, and each is counted (B74)")
    func duplicates() async throws {
        let fixture = ManagerFixture()
        let summary = await ImagePrefetcher(manager: fixture.manager).prefetch(try requests(["a", "b", "a", "a"]))
            .summary
        #expect(summary == PrefetchProgress(finished: 4, total: 4))
        #expect(fixture.loader.requests.count == 2)
    }

    @Test("a failure does not stop the other loads, and the summary contains it (X186)")
    func failure() async throws {
        let loader = ScriptedLoader { request, _ throws(ImageError) in
            if request.url.path == "/b.test" { throw .status(404) }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let fixture = ManagerFixture(loader: loader)
        let requests = try requests(["a", "b", "c"])
        let summary = await ImagePrefetcher(manager: fixture.manager).prefetch(requests).summary
        #expect((summary.finished, summary.failed, summary.total) == (2, 1, 3))
        #expect(summary.failures == [requests[1]: .status(404)])
    }

    @Test("an empty list ends at once, with its events (X186)")
    func empty() async throws {
        let task = ImagePrefetcher(manager: ManagerFixture().manager).prefetch([ImageRequest]())
        var totals: [Int] = []
        for await progress in task.progress { totals.append(progress.total) }
        #expect(totals == [0])
        #expect(await !task.summary.isCancelled)
    }

    @Test("the counts grow one by one (X187)")
    func counts() async throws {
        let gates = Recorder<Gate>()
        let loader = ScriptedLoader { _, _ throws(ImageError) in
            let gate = Gate()
            gates.record(gate)
            do { try await gate.wait() } catch { throw .cancelled }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let fixture = ManagerFixture(loader: loader)
        let task = ImagePrefetcher(manager: fixture.manager, limit: 1).prefetch(try requests(["a", "b", "c"]))
        var completed: [Int] = []
        for await progress in task.progress {
            completed.append(progress.completed)
            if completed.count <= 3 {
                await gates.wait(for: completed.count)
                gates.events[completed.count - 1].open()
            }
        }
        #expect(completed == [0, 1, 2, 3])
    }

    @Test("the prefetch with the highest priority goes first, and among equal ones the first (B75)")
    func order() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let prefetcher = ImagePrefetcher(manager: fixture.manager, limit: 1)
        let tasks = try ["a", "b", "c", "d"].map { prefetcher.prefetch(try requests([$0])) }
        tasks[2].priority = .high
        gate.open()
        for task in tasks { _ = await task.summary }
        #expect(fixture.loader.requests.map(\.url.path) == ["/a.test", "/c.test", "/b.test", "/d.test"])
    }

    @Test("the progress stream ends with the last count (B76)")
    func progress() async throws {
        let fixture = ManagerFixture()
        var last: PrefetchProgress?
        // Only the stream retains the prefetch.
        let progress = ImagePrefetcher(manager: fixture.manager).prefetch(try requests(["a", "b", "c", "d"])).progress
        for await progress in progress { last = progress }
        #expect(last == PrefetchProgress(finished: 4, total: 4))
    }

    @Test("at most 3 loads run at a time, and changing the limit takes effect at once (X185, S196)")
    func limit() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        let task = prefetcher.prefetch(try requests(["a", "b", "c", "d", "e", "f"]))
        try await until { fixture.loader.requests.count == 3 }
        prefetcher.limit = 5
        try await until { fixture.loader.requests.count == 5 }
        gate.open()
        #expect(await task.summary.finished == 6)
    }

    @Test("while the prefetcher is paused, no load starts")
    func pause() async throws {
        let fixture = ManagerFixture()
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        prefetcher.isPaused = true
        let task = prefetcher.prefetch(try requests(["a", "b"]))
        #expect(!fixture.manager.isRunning)
        prefetcher.isPaused = false
        #expect(await task.summary.finished == 2)
    }
}
