import EaselTesting
import Testing
import EaselFoundation
import Synchronization
import TestSupport

@testable import EaselCore

@Suite("Downloader: waiting for the network (B77)", .timeLimit(.minutes(1)))
struct WaitForNetworkTests {
    private let network = ScriptedNetwork()

    private func fixture() -> DownloaderFixture {
        DownloaderFixture { [network] in $0.isNetworkUp = { network.isUp } }
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
        network.isUp = false
        let request = try request()
        let load = Task { try await fixture.load(request) }
        for _ in 0..<3 {
            await fixture.clock.waitForSleepers()
            fixture.clock.advance(by: .seconds(1))
        }
        await fixture.clock.waitForSleepers()
        #expect(fixture.urls.count == 1)
        #expect(fixture.downloader.currentDownloadCount == 0)
        network.isUp = true
        fixture.clock.advance(by: .seconds(1))
        #expect(try await load.value.timeline.requests == 2)
    }

    @Test("with a network, or without the option to wait, the host is unreachable")
    func doesNotWait() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: Self.unreachable)
        #expect(await fixture.error(of: try request())?.code == .unreachable)
        network.isUp = false
        #expect(await fixture.error(of: try request(waits: false))?.code == .unreachable)
    }

    @Test("other errors do not wait for the network")
    func otherErrors() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: .response(status: 503))
        network.isUp = false
        #expect(await fixture.error(of: try request()) == .status(503))
    }

    @Test("a load cancelled while it waits ends and sends nothing more (B77)")
    func cancelled() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: Self.unreachable, .image)
        network.isUp = false
        let request = try request()
        let load = Task { await fixture.error(of: request) }
        await fixture.clock.waitForSleepers()
        load.cancel()
        #expect(await load.value == .cancelled)
        network.isUp = true
        #expect(fixture.urls.count == 1)
    }

    @Test("the deadline ends the wait")
    func deadline() async throws {
        let fixture = fixture()
        fixture.transport.respond("http://images.test/a", with: Self.unreachable)
        network.isUp = false
        var request = try request()
        request.http.deadline = .seconds(9)
        let load = Task { [request] in await fixture.error(of: request) }
        await fixture.clock.waitForSleepers(2)
        fixture.clock.advance(by: .seconds(9))
        #expect(await load.value == .timedOut(.total))
    }
}

/// A network that goes up and down.
private final class ScriptedNetwork: Sendable {
    private let state = Mutex(true)

    var isUp: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
