import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

@Suite("Downloader: statuses, bodies and limits", .timeLimit(.minutes(1)))
struct DownloaderBodyTests {
    private let fixture = DownloaderFixture()

    @Test("only http and https URLs are accepted, in any letter case")
    func schemes() throws {
        let expected = [
            ("http://a/b", true), ("HTTPS://a/b", true), ("file:///a", false), ("data:,a", false), ("ftp://a/b", false),
        ]
        for (url, taken) in expected {
            #expect(fixture.downloader.canLoad(try DownloaderFixture.request(url)) == taken, "\(url)")
        }
    }

    @Test("a URL without a host is invalid, and nothing is sent (S141, S189)")
    func noHost() async throws {
        guard await fixture.error(of: try DownloaderFixture.request("http:///a"))?.code == .invalidURL else {
            Issue.record("It was loaded.")
            return
        }
        #expect(fixture.urls.isEmpty)
    }

    @Test("a request that no subscriber needs is not sent")
    func unwanted() async throws {
        let context = LoadContext(demand: LoadDemand(priority: .normal), willSendRequest: { false }, deliver: { _ in })
        await #expect(throws: ImageError.cancelled) {
            try await fixture.downloader.load(try DownloaderFixture.request(), context)
        }
        #expect(fixture.urls.isEmpty)
    }

    @Test("any 2xx status is a success (S147, X120)", arguments: [200, 201, 203, 299])
    func success(status: Int) async throws {
        answer(status: status, [.bytes(Data([1]))])
        let loaded = try await fixture.load(try DownloaderFixture.request())
        #expect(loaded.data == Data([1]))
        #expect(loaded.source == .network)
        #expect(loaded.timeline.requests == 1)
        #expect(
            loaded.timeline[.firstByte] != nil && loaded.timeline[.transfer] != nil && loaded.timeline[.queued] != nil)
    }

    @Test(
        "any other status is an error, once, whatever the body (B80, S190)",
        arguments: [100, 199, 304, 400, 401, 404, 410, 500, 503, 999])
    func failure(status: Int) async throws {
        answer(status: status, [.bytes(Data("not an image".utf8))])
        let recorder = LoadRecorder()
        #expect(await fixture.error(of: try DownloaderFixture.request(), recorder) == .status(status))
        #expect(fixture.transport.exchanges.map(\.ending) == [.dropped])
        #expect(recorder.progress.isEmpty)
    }

    @Test("an empty body is an error (B80, S149)", arguments: [200, 204])
    func empty(status: Int) async throws {
        answer(status: status, [])
        let error = await fixture.error(of: try DownloaderFixture.request())
        #expect(error?.code == .badData)
        #expect(error?.message.contains("empty") == true)
    }

    @Test("a Content-Length over the limit is refused before the body is read (B81)")
    func announcedTooLarge() async throws {
        let gate = Gate()
        fixture.transport.respond(
            "http://images.test/a", with: .response(body: [.hold(gate)], length: .announced(10_000_000_000)))
        let recorder = LoadRecorder()
        let error = await fixture.error(of: try DownloaderFixture.request { $0.limits.bytes = 256 << 20 }, recorder)
        #expect(error == .tooLarge(.bytes(10_000_000_000, limit: 256 << 20)))
        #expect(recorder.progress.isEmpty)
        #expect(fixture.transport.exchanges.map(\.ending) == [.dropped])
    }

    @Test("a body that grows over the limit is cancelled, whatever its Content-Length (B81)", arguments: [nil, 5, 10])
    func actuallyTooLarge(announced: Int?) async throws {
        let never = Gate()
        fixture.transport.respond(
            "http://images.test/a",
            with: .response(
                body: [.bytes(Data(count: 6)), .bytes(Data(count: 5)), .hold(never)],
                length: announced.map { .announced($0) } ?? .unknown))
        let error = await fixture.error(of: try DownloaderFixture.request { $0.limits.bytes = 10 })
        #expect(error == .tooLarge(.bytes(11, limit: 10)))
        #expect(fixture.transport.exchanges.map(\.ending) == [.dropped])
    }

    @Test("a body of exactly the limit is accepted")
    func atLimit() async throws {
        answer([.bytes(Data(count: 6)), .bytes(Data(count: 4))])
        #expect(try await fixture.load(try DownloaderFixture.request { $0.limits.bytes = 10 }).data.count == 10)
    }

    @Test("progress starts at 0, grows with each chunk and ends with the whole body (B79, S148, S153, S191)")
    func progress() async throws {
        answer([.bytes(Data(count: 3)), .bytes(Data(count: 4)), .bytes(Data(count: 2))])
        let recorder = LoadRecorder()
        _ = try await fixture.load(try DownloaderFixture.request(), recorder)
        #expect(recorder.progress.map(\.received) == [0, 3, 7, 9])
        #expect(recorder.progress.allSatisfy { $0.expected == 9 })
    }

    @Test("progress without a Content-Length has no expected size")
    func unknownLength() async throws {
        fixture.transport.respond(
            "http://images.test/a", with: .response(body: [.bytes(Data(count: 3))], length: .unknown))
        let recorder = LoadRecorder()
        _ = try await fixture.load(try DownloaderFixture.request(), recorder)
        #expect(recorder.progress == [.init(received: 0, expected: nil), .init(received: 3, expected: nil)])
    }

    @Test("an error during the body is the error of the load, and is temporary (R037)")
    func brokenBody() async throws {
        answer([.bytes(Data(count: 3)), .failure(.connectionLost(received: 3, expected: 9))])
        #expect(await fixture.error(of: try DownloaderFixture.request()) == .connectionLost(received: 3, expected: 9))
    }

    @Test("a load cancelled during the body ends at once and drops the exchange (S158, X136)")
    func cancelled() async throws {
        let never = Gate()
        answer([.bytes(Data(count: 3)), .hold(never)])
        let request = try DownloaderFixture.request()
        let recorder = LoadRecorder()
        let load = Task { await fixture.error(of: request, recorder) }
        await recorder.waitForProgress(2)
        load.cancel()
        #expect(await load.value == .cancelled)
        #expect(fixture.transport.exchanges.map(\.ending) == [.dropped])
        #expect(fixture.downloader.currentDownloadCount == 0)
    }

    private func answer(status: Int = 200, _ body: [FakeResponse.Piece]) {
        fixture.transport.respond("http://images.test/a", with: .response(status: status, body: body))
    }
}
