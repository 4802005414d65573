import EaselTesting
import Testing
import EaselFoundation
import Synchronization

@testable import EaselCore

@Suite("Downloader: waiting for a network (B77)", .timeLimit(.minutes(1)))
struct WaitForNetworkTests {
    private let network = ScriptedNetwork()

    private func fixture() -> DownloaderFixture {
        DownloaderFixture { $0.reachability = network }
    }

    private func request(waits: Bool = true, attempts: Int = 0) throws -> ImageRequest {
        try DownloaderFixture.request {
            $0.retry = .exponential(attempts: attempts)
            $0.retry.waitsForNetwork = waits
        }
    }

    private static let unreachable = FakeAnswer.failure(.unreachable(host: "images.test", reason: "no route to host"))

    @Test("without a network a load waits, and asks again when there is one; that is no attempt")
    func waits() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: Self.unreachable, .image)
        network.isReachable = false
        let request = try request()
        let load = Task { try await fixture.load(request) }
        await network.waiters.wait(for: 1)
        #expect(fixture.urls.count == 1)
        #expect(fixture.downloader.currentDownloadCount == 0)
        network.isReachable = true
        #expect(try await load.value.timeline.requests == 2)
        #expect(network.waiters.events.count == 1)
    }

    @Test("with a network, or where nobody wants to wait, the host is unreachable")
    func doesNotWait() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: Self.unreachable)
        #expect(await fixture.error(of: try request())?.code == "unreachable")
        network.isReachable = false
        #expect(await fixture.error(of: try request(waits: false))?.code == "unreachable")
        #expect(network.waiters.events.isEmpty)
    }

    @Test("other errors have nothing to do with it")
    func otherErrors() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: .response(status: 503))
        network.isReachable = false
        #expect(await fixture.error(of: try request()) == .status(503))
    }

    @Test("cancelled while it waits, it ends and sends no more (B77)")
    func cancelled() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: Self.unreachable, .image)
        network.isReachable = false
        let request = try request()
        let load = Task { await fixture.error(of: request) }
        await network.waiters.wait(for: 1)
        load.cancel()
        #expect(await load.value == .cancelled)
        network.isReachable = true
        #expect(fixture.urls.count == 1)
    }

    @Test("the deadline ends the wait too")
    func deadline() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: Self.unreachable)
        network.isReachable = false
        var request = try request()
        request.http.deadline = .seconds(9)
        let load = Task { [request] in await fixture.error(of: request) }
        await network.waiters.wait(for: 1)
        await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(9))
        #expect(await load.value == .timedOut(.total))
    }
}

@Suite("Network interfaces", .timeLimit(.minutes(1)))
struct NetworkInterfacesTests {
    private final class Switch: Sendable {
        let isOn = Mutex(false)
    }

    @Test("a wait looks once a second, and ends when one is up")
    func waiting() async throws {
        let clock = ManualClock()
        let isUp = Switch()
        let interfaces = NetworkInterfaces(clock: clock) { isUp.isOn.withLock { $0 } }
        let wait = Task { try await interfaces.waitUntilReachable() }
        for _ in 0..<3 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
        }
        await clock.waitForSleepers()
        #expect(!interfaces.isReachable)
        isUp.isOn.withLock { $0 = true }
        clock.advance(by: .seconds(1))
        try await wait.value
        #expect(interfaces.isReachable)
    }

    @Test("where one is up already there is nothing to wait for; cancelled, a wait ends")
    func ends() async throws {
        let clock = ManualClock()
        try await NetworkInterfaces(clock: clock) { true }.waitUntilReachable()
        let wait = Task { try await NetworkInterfaces(clock: clock) { false }.waitUntilReachable() }
        await clock.waitForSleepers()
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
    }
}
