import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

@Suite("Downloader: deadlines, rates and cancellation", .timeLimit(.minutes(1)))
struct DownloaderControlTests {
    private static func url(_ number: Int) -> String { "http://images.test/\(number)" }

    @Test("cancelAll ends running, waiting and delayed downloads, and later ones run (S139, X129)")
    func cancelAll() async throws {
        let fixture = DownloaderFixture { $0.concurrentTransfers = 1 }
        fixture.transport.respond("http://pause.test/", with: .response(status: 503))
        let pausing = try DownloaderFixture.request("http://pause.test/") { $0.retry = .exponential(attempts: 3) }
        let paused = Task { await fixture.error(of: pausing) }
        await fixture.clock.waitForSleepers()
        let gate = Gate()
        let loads = try (0..<20).map { number in
            fixture.transport.respond(Self.url(number), with: .response(body: [.bytes(Data([1])), .hold(gate)]))
            let request = try DownloaderFixture.request(Self.url(number))
            return Task { await fixture.error(of: request) }
        }
        try await until { fixture.downloader.currentDownloadCount == 20 }
        await fixture.transport.waitForRequests(2)
        fixture.downloader.cancelAll()
        for load in loads + [paused] { #expect(await load.value == .cancelled) }
        #expect(fixture.downloader.currentDownloadCount == 0)
        #expect(fixture.transport.exchanges.map(\.ending) == [.dropped, .dropped])
        fixture.transport.respond("http://images.test/a", with: .image)
        _ = try await fixture.load(try DownloaderFixture.request())
    }

    @Test(
        "cancelling a task cancels its download and no other (S156, S164, S138, S159, S161, X135)")
    func cancelOne() async throws {
        let fixture = DownloaderFixture()
        let gate = Gate()
        let loads = try (0..<2).map { number in
            fixture.transport.respond(Self.url(number), with: .response(body: [.bytes(Data([1]))], gate: gate))
            let request = try DownloaderFixture.request(Self.url(number))
            return Task { await fixture.error(of: request) }
        }
        await fixture.transport.waitForRequests(2)
        loads[0].cancel()
        #expect(await loads[0].value == .cancelled)
        gate.open()
        #expect(await loads[1].value == nil)
    }

    @Test("raising the limit per host starts waiting transfers at once (B68)")
    func hostLimit() async throws {
        let fixture = DownloaderFixture { $0.concurrentTransfersPerHost = 1 }
        let gate = Gate()
        let loads = try (0..<3).map { number in
            fixture.transport.respond(Self.url(number), with: .response(body: [.bytes(Data([1]))], gate: gate))
            let request = try DownloaderFixture.request(Self.url(number))
            return Task { await fixture.error(of: request) }
        }
        try await until { fixture.downloader.currentDownloadCount == 3 }
        await fixture.transport.waitForRequests(1)
        #expect(fixture.urls.count == 1)
        fixture.downloader.concurrentTransfersPerHost = 3
        await fixture.transport.waitForRequests(3)
        gate.open()
        for load in loads { #expect(await load.value == nil) }
    }

    @Test("the start rate allows a burst, spaces the rest in order, and ignores cancelled downloads (B72)")
    func startRate() async throws {
        let fixture = DownloaderFixture { $0.startRate = RateLimit(burst: 2, perSecond: 1) }
        var loads: [Task<ImageError?, Never>] = []
        for number in 0..<6 {
            fixture.transport.respond(Self.url(number), with: .image)
            let request = try DownloaderFixture.request(Self.url(number)) {
                $0.priority = number == 5 ? .high : .normal
            }
            let recorder = LoadRecorder(priority: request.priority)
            loads.append(Task { await fixture.error(of: request, recorder) })
            if number < 2 { _ = await loads[number].value }
            try await until { fixture.downloader.currentDownloadCount == max(0, number - 1) }
        }
        #expect(fixture.urls == [Self.url(0), Self.url(1)])
        loads[2].cancel()
        #expect(await loads[2].value == .cancelled)
        for expected in [5, 3, 4] {
            await fixture.clock.waitForSleepers()
            fixture.clock.advance(by: .milliseconds(999))
            #expect(fixture.clock.sleeperCount == 1)
            fixture.clock.advance(by: .milliseconds(1))
            #expect(await loads[expected].value == nil)
            #expect(fixture.urls.last == Self.url(expected))
        }
    }

    @Test("the deadline includes waiting, redirects, retries and delays")
    func deadline() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond(Self.url(0), with: .response(status: 503))
        let request = try DownloaderFixture.request(Self.url(0)) {
            $0.retry = .custom("each second") { _ in .seconds(1) }
            $0.http.deadline = .milliseconds(2500)
        }
        let load = Task { await fixture.error(of: request) }
        for (count, pause) in [(1, Duration.seconds(1)), (2, .seconds(1)), (3, .milliseconds(500))] {
            await fixture.transport.waitForRequests(count)
            await fixture.clock.waitForSleepers(2)
            fixture.clock.advance(by: pause)
        }
        #expect(await load.value == .timedOut(.total))
        #expect(fixture.urls.count == 3)
        try await until { fixture.clock.sleeperCount == 0 }
    }

    @Test("a load that ends before its deadline leaves no timer")
    func metDeadline() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .image)
        _ = try await fixture.load(try DownloaderFixture.request { $0.http.deadline = .seconds(5) })
        try await until { fixture.clock.sleeperCount == 0 }
        let cancelled = try DownloaderFixture.request { $0.http.deadline = .seconds(5) }
        fixture.downloader.isSuspended = true
        let load = Task { await fixture.error(of: cancelled) }
        try await until { fixture.downloader.currentDownloadCount == 1 }
        load.cancel()
        #expect(await load.value == .cancelled)
        try await until { fixture.clock.sleeperCount == 0 }
    }

    @Test("progress is reported at its interval, and always at the start and the end (X119, X134)")
    func progressInterval() async throws {
        let fixture = DownloaderFixture { $0.minimumProgressInterval = 0.25 }
        let pieces = (0..<20).map { _ in FakeResponse.Piece.bytes(Data(count: 5)) }
        for (length, expected) in [
            (FakeResponse.Length.total, [0, 25, 50, 75, 100]), (.unknown, Array(stride(from: 0, through: 100, by: 5))),
        ] {
            fixture.transport.respond("http://images.test/a", with: .response(body: pieces, length: length))
            let recorder = LoadRecorder()
            _ = try await fixture.load(try DownloaderFixture.request(), recorder)
            #expect(recorder.progress.map(\.received) == expected)
        }
    }

    @Test(
        "an interval outside 0 to 1 is clamped (X119)", arguments: [(-3, 3), (7, 2), (Double.nan, 3)])
    func senselessInterval(interval: Double, reports: Int) async throws {
        let fixture = DownloaderFixture { $0.minimumProgressInterval = interval }
        let halves = (0..<2).map { _ in FakeResponse.Piece.bytes(Data(count: 50)) }
        fixture.transport.respond("http://images.test/a", with: .response(body: halves, length: .total))
        let recorder = LoadRecorder()
        _ = try await fixture.load(try DownloaderFixture.request(), recorder)
        #expect(recorder.progress.count == reports)
    }
}
