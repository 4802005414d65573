import EaselTesting
import FoundationEssentials
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
        #expect(summary.progress == PrefetchProgress(finished: 4, total: 4))
        #expect(!summary.isCancelled && summary.failures.isEmpty)
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
        #expect(summary.progress == PrefetchProgress(finished: 1, skipped: 2, total: 3))
        #expect(fixture.loader.requests.count == 2)
    }

    @Test("equal requests are loaded once, and each is counted (B74)")
    func duplicates() async throws {
        let fixture = ManagerFixture()
        let summary = await ImagePrefetcher(manager: fixture.manager).prefetch(try requests(["a", "b", "a", "a"]))
            .summary
        #expect(summary.progress == PrefetchProgress(finished: 4, total: 4))
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
        #expect(summary.progress == PrefetchProgress(finished: 2, failed: 1, total: 3))
        #expect(summary.failures.map(\.request) == [requests[1]])
        #expect(summary.failures.map(\.error) == [.status(404)])
    }

    @Test("an empty list ends at once, with its events (X186)")
    func empty() async throws {
        let task = ImagePrefetcher(manager: ManagerFixture().manager).prefetch([ImageRequest]())
        var events: [String] = []
        for await event in task.events {
            switch event {
            case .progress(let progress): events.append("progress \(progress.total)")
            case .ended(let summary): events.append("ended \(summary.isCancelled)")
            }
        }
        #expect(events == ["progress 0", "ended false"])
    }

    @Test("the counts grow one by one, and one end follows (X187)")
    func events() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .held(by: gate))
        let task = ImagePrefetcher(manager: fixture.manager).prefetch(try requests(["a", "b", "c", "d", "e"]))
        let events = task.events
        gate.open()
        var completed: [Int] = []
        var ends = 0
        for await event in events {
            switch event {
            case .progress(let progress):
                #expect(ends == 0)
                completed.append(progress.completed)
            case .ended: ends += 1
            }
        }
        #expect(completed == [0, 1, 2, 3, 4, 5])
        #expect(ends == 1)
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
        let fixture = ManagerFixture(loader: .held(by: gate))
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        let task = prefetcher.prefetch(try requests(["a", "b", "c", "d", "e", "f"]))
        try await until { fixture.loader.requests.count == 3 }
        prefetcher.limit = 5
        try await until { fixture.loader.requests.count == 5 }
        gate.open()
        #expect(await task.summary.progress.finished == 6)
    }

    @Test("while the prefetcher is paused, no load starts")
    func pause() async throws {
        let fixture = ManagerFixture()
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        prefetcher.isPaused = true
        let task = prefetcher.prefetch(try requests(["a", "b"]))
        #expect(!fixture.manager.isRunning)
        prefetcher.isPaused = false
        #expect(await task.summary.progress.finished == 2)
    }
}
