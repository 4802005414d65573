import EaselTesting
import Testing
import EaselFoundation
import Synchronization

@testable import EaselCore

@Suite("Downloader: waiting for the network (B77)", .timeLimit(.minutes(1)))
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

    private static let unreachable = FakeResponse.failure(.unreachable(host: "images.test", reason: "no route to host"))

    @Test("without a network a load waits and then sends its request again, without using a retry")
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

    @Test("with a network, or without the option to wait, the host is unreachable")
    func doesNotWait() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: Self.unreachable)
        #expect(await fixture.error(of: try request())?.code == "unreachable")
        network.isReachable = false
        #expect(await fixture.error(of: try request(waits: false))?.code == "unreachable")
        #expect(network.waiters.events.isEmpty)
    }

    @Test("other errors do not wait for the network")
    func otherErrors() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: .response(status: 503))
        network.isReachable = false
        #expect(await fixture.error(of: try request()) == .status(503))
    }

    @Test("a load cancelled while it waits ends and sends nothing more (B77)")
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

    @Test("the deadline ends the wait")
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

    @Test("a wait checks once a second and ends when an interface is up")
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

    @Test("a wait ends at once if an interface is up, and when it is cancelled")
    func ends() async throws {
        let clock = ManualClock()
        try await NetworkInterfaces(clock: clock) { true }.waitUntilReachable()
        let wait = Task { try await NetworkInterfaces(clock: clock) { false }.waitUntilReachable() }
        await clock.waitForSleepers()
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
    }
}
