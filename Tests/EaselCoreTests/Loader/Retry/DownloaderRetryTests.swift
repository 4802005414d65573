import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

@Suite("Downloader: retries (P010, B77)", .timeLimit(.minutes(1)))
struct DownloaderRetryTests {
    private let fixture = DownloaderFixture()

    @Test("a temporary error is retried after a delay until the load succeeds")
    func succeeds() async throws {
        answer(.failure(.timedOut(.connect)), .response(status: 503), .image)
        let request = try request(attempts: 5)
        let load = Task { try await fixture.load(request) }
        for _ in 0..<2 {
            await fixture.clock.waitForSleepers()
            fixture.clock.advance(by: .seconds(60))
        }
        let loaded = try await load.value
        #expect(loaded.data == Data("image".utf8))
        #expect(loaded.timeline.requests == 3)
    }

    @Test("a retry starts after its delay, which has a maximum (B78)")
    func pause() async throws {
        answer(.response(status: 503), .image)
        let request = try request(attempts: 1)
        let load = Task { try await fixture.load(request) }
        await fixture.clock.waitForSleepers()
        #expect(fixture.urls.count == 1)
        fixture.clock.advance(by: .seconds(1))
        _ = try await load.value
        #expect(fixture.urls.count == 2)
    }

    @Test("the last error is reported after the maximum number of retries")
    func exhausted() async throws {
        answer(.response(status: 503), .response(status: 502), .failure(.timedOut(.idle)))
        let request = try request(attempts: 2)
        let load = Task { await fixture.error(of: request) }
        for _ in 0..<2 {
            await fixture.clock.waitForSleepers()
            fixture.clock.advance(by: .seconds(60))
        }
        #expect(await load.value == .timedOut(.idle))
        #expect(fixture.urls.count == 3)
    }

    @Test("without a retry policy nothing is retried")
    func never() async throws {
        answer(.response(status: 503), .image)
        #expect(await fixture.error(of: try DownloaderFixture.request()) == .status(503))
        #expect(fixture.urls.count == 1)
    }

    @Test("a permanent error is not retried (B78)", arguments: [404, 400, 403, 410, 501])
    func permanent(status: Int) async throws {
        answer(.response(status: status), .image)
        #expect(await fixture.error(of: try request(attempts: 5)) == .status(status))
        #expect(fixture.urls.count == 1)
    }

    @Test("an empty body, a body over the limit and too many redirects are not retried")
    func otherErrors() async throws {
        answer(.response(body: []), .image)
        fixture.transport.respond("http://images.test/large", with: .bytes(Data(count: 20)))
        fixture.transport.respond("http://images.test/circle", with: .redirect(to: "/circle"))
        for (path, requests) in [("a", 1), ("large", 1), ("circle", 11)] {
            let url = "http://images.test/\(path)"
            let error = await fixture.error(
                of: try DownloaderFixture.request(url) {
                    $0.retry = .exponential(attempts: 3)
                    $0.limits.bytes = 10
                })
            #expect(error != nil)
            #expect(fixture.urls.filter { $0 == url }.count == requests)
        }
    }

    @Test("a load cancelled during the delay ends at once and sends nothing more")
    func cancelled() async throws {
        answer(.response(status: 503), .image)
        let request = try request(attempts: 5)
        let load = Task { await fixture.error(of: request) }
        await fixture.clock.waitForSleepers()
        load.cancel()
        #expect(await load.value == .cancelled)
        #expect(fixture.urls.count == 1)
    }

    @Test("the delay frees the transfer slot for other loads")
    func placeFreed() async throws {
        let fixture = DownloaderFixture { $0.concurrentTransfers = 1 }
        fixture.transport.respond("http://images.test/a", with: .response(status: 503), .image)
        fixture.transport.respond("http://images.test/b", with: .image)
        let request = try request(attempts: 1)
        let load = Task { try await fixture.load(request) }
        await fixture.clock.waitForSleepers()
        _ = try await fixture.load(try DownloaderFixture.request("http://images.test/b"))
        fixture.clock.advance(by: .seconds(60))
        #expect(try await load.value.data == Data("image".utf8))
    }

    @Test("Retry-After sets the delay (B78, RFC 9110 10.2.3)", arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        answer(.response(status: status, headers: ["Retry-After": "7"]), .image)
        let request = try request(attempts: 1)
        let load = Task { try await fixture.load(request) }
        await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .milliseconds(6999))
        #expect(fixture.urls.count == 1)
        #expect(fixture.clock.sleeperCount == 1)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(try await load.value.data == Data("image".utf8))
    }

    @Test("a Retry-After over the longest delay reports the error at once")
    func longRetryAfter() async throws {
        answer(.response(status: 503, headers: ["Retry-After": "3600"]), .image)
        #expect(await fixture.error(of: try request(attempts: 5)) == .status(503))
        #expect(fixture.urls.count == 1)
    }

    @Test("a Retry-After applies only to the attempt that received it")
    func staleRetryAfter() async throws {
        answer(
            .response(status: 503, headers: ["Retry-After": "50"]),
            .failure(.connectionLost(received: 0, expected: nil)),
            .image)
        let request = try request(attempts: 2)
        let load = Task { try await fixture.load(request) }
        await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(50))
        await fixture.transport.waitForRequests(2)
        await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(2))
        _ = try await load.value
        #expect(fixture.urls.count == 3)
    }

    @Test("a host without retry budget is not retried, and other hosts are")
    func budget() async throws {
        let fixture = DownloaderFixture { $0.retryBudget = RateLimit(burst: 2, perSecond: 0.001) }
        for url in ["http://images.test/a", "http://other.test/a"] {
            fixture.transport.respond(url, with: .response(status: 503))
        }
        for (url, requests) in [("http://images.test/a", 3), ("http://images.test/a", 1), ("http://other.test/a", 3)] {
            let before = fixture.urls.count
            let request = try DownloaderFixture.request(url) { $0.retry = .custom("at once") { _ in .zero } }
            #expect(await fixture.error(of: request) == .status(503))
            #expect(fixture.urls.count - before == requests)
        }
    }

    private func answer(_ first: FakeResponse, _ second: FakeResponse, _ third: FakeResponse? = nil) {
        if let third {
            fixture.transport.respond("http://images.test/a", with: first, second, third)
        } else {
            fixture.transport.respond("http://images.test/a", with: first, second)
        }
    }

    private func request(attempts: Int) throws -> ImageRequest {
        try DownloaderFixture.request { $0.retry = .exponential(attempts: attempts, first: .seconds(1)) }
    }
}
