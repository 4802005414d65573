import EaselTesting
import Synchronization
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: waiting loads", .timeLimit(.minutes(1)))
struct ImageManagerWaitingTests {
    private let gate = Gate()

    @Test("the limit of concurrent loads holds, and waiting loads start by priority (B60)")
    func limit() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: gate), concurrentLoads: 2)
        let first = try (0..<2).map { fixture.manager.load(try request($0)) }
        for task in first { await task.firstProgress() }
        let waiting = try (2..<5).map { fixture.manager.load(try request($0)) }
        waiting[2].priority = .high
        #expect(fixture.manager.pipeline.workCount == 5 + 2 * 2, "a running load also has an image and a file")
        #expect(fixture.loader.requests.count == 2)
        first[0].cancel()
        await waiting[2].firstProgress()
        let urls = fixture.loader.requests.map(\.url)
        #expect(Set(urls.prefix(2)) == Set(try [0, 1].map { try request($0).url }))
        #expect(urls.dropFirst(2) == [try request(4).url])
        gate.open()
        for task in waiting { _ = try await task.response }
        #expect(fixture.loader.requests.count == 5)
        #expect(fixture.manager.pipeline.workCount == 0)
    }

    @Test("a load cancelled while it waits ends at once without a request (S164)")
    func cancelled() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: gate), concurrentLoads: 1)
        let first = fixture.manager.load(try request(0))
        await first.firstProgress()
        let waiting = try (1..<1_000).map { fixture.manager.load(try request($0)) }
        for task in waiting { task.cancel() }
        for task in waiting { #expect(await task.outcome.error == .cancelled) }
        gate.open()
        _ = try await first.response
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.manager.pipeline.workCount == 0 && !fixture.manager.isRunning)
    }

    @Test("a cached image does not wait for loads that have to download")
    func cached() async throws {
        let cache = ScriptedCache()
        let fixture = ManagerFixture(cache: cache, loader: .blocked(by: gate), concurrentLoads: 1)
        cache.put(TestCoder.file(), for: try request(7).originalKey)
        let first = fixture.manager.load(try request(0))
        await first.firstProgress()
        let waiting = fixture.manager.load(try request(1))
        #expect(try await fixture.manager.load(try request(7)).response.source == .disk)
        #expect(fixture.loader.requests.count == 1)
        waiting.cancel()
        first.cancel()
    }

    @Test("equal waiting loads share their work, and each has its own end (B55)")
    func shared() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: gate), concurrentLoads: 1)
        let first = fixture.manager.load(try request(0))
        await first.firstProgress()
        let equal = try (0..<3).map { _ in fixture.manager.load(try request(1)) }
        equal[0].cancel()
        gate.open()
        let responses = [try await equal[1].response, try await equal[2].response]
        #expect(fixture.loader.requests.count == 2)
        #expect(responses.map(\.timeline.isCoalesced) == [false, true])
        #expect(responses.map(\.timeline.requests) == [0, 0])
    }

    @Test("a nested load does not wait for the load that contains it")
    func nested() async throws {
        let manager = Mutex<ImageManager?>(nil)
        let inner = try request(1)
        let loader = ScriptedLoader { request, _ throws(ImageError) in
            if request.url != inner.url, let manager = manager.withLock({ $0 }) {
                _ = try await manager.image(for: inner)
            }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let fixture = ManagerFixture(loader: loader, concurrentLoads: 1)
        manager.withLock { $0 = fixture.manager }
        #expect(try await fixture.manager.image(for: try request(0)).size == PixelSize(8, 6))
        #expect(loader.requests.count == 2)
        manager.withLock { $0 = nil }
    }

    private func request(_ number: Int) throws -> ImageRequest {
        try ManagerFixture.request("http://example.com/\(number).test")
    }
}
