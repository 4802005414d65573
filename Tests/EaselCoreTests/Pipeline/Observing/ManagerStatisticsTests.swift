import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: statistics", .timeLimit(.minutes(1)))
struct ManagerStatisticsTests {
    @Test("every load counts once, as a hit of a level, a miss, a failure or a cancellation")
    func levels() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(
            loader: ScriptedLoader { request, context throws(ImageError) in
                switch request.url.path {
                case "/held.test":
                    context.report(received: 0, expected: nil)
                    do { try await gate.wait() } catch { throw .cancelled }
                case "/missing.test": throw .status(404)
                default: break
                }
                return LoadedData(data: TestCoder.file(), source: .network)
            })
        #expect(fixture.manager.statistics == ManagerStatistics())
        let request = try ManagerFixture.request()
        _ = try await fixture.manager.load(request).response
        _ = try await fixture.manager.load(request).response
        fixture.cache.forgetImages()
        _ = try await fixture.manager.load(request).response
        _ = await fixture.manager.load(try ManagerFixture.request("http://example.com/missing.test")).outcome
        let waiting = fixture.manager.load(try ManagerFixture.request("http://example.com/held.test"))
        await waiting.firstProgress()
        #expect(fixture.manager.statistics.inFlight == 1)
        waiting.cancel()
        let statistics = fixture.manager.statistics
        #expect(statistics.inFlight == 0)
        #expect(statistics.misses == 1)
        #expect(statistics.memoryHits == 1)
        #expect(statistics.diskHits == 1)
        #expect(statistics.failures == 1)
        #expect(statistics.cancellations == 1)
        #expect(statistics.decodes == 2)
        #expect(statistics.stores == 1)
        #expect(statistics.memory == nil)
    }

    @Test("an error with the code of a cancellation counts as one, whatever its message")
    func ownCancellation() async throws {
        let fixture = ManagerFixture(
            loader: ScriptedLoader { _, _ throws(ImageError) in throw ImageError(.cancelled, "The loader stopped.") })
        _ = await fixture.manager.load(try ManagerFixture.request()).outcome
        let statistics = fixture.manager.statistics
        #expect(statistics.cancellations == 1)
        #expect(statistics.failures == 0)
    }

    @Test("loads that share a download count its requests and bytes once")
    func requests() async throws {
        let transport = FakeTransport()
        let gate = Gate()
        transport.respond("http://example.com/a.test", with: .redirect(to: "http://example.com/b.test"))
        transport.respond(
            "http://example.com/b.test", with: .response(body: [.hold(gate), .bytes(TestCoder.file())]))
        let coder = TestCoder()
        var configuration = ImageManager.Configuration()
        configuration.loader = ImageDownloader(transport: transport, clock: ManualClock())
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        let manager = ImageManager(configuration: configuration)
        let tasks = [manager.load(try ManagerFixture.request()), manager.load(try ManagerFixture.request())]
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { _ = try await task.response }
        let statistics = manager.statistics
        #expect(statistics.requests == 2)
        #expect(statistics.bytesReceived == 7)
        #expect(statistics.misses == 2)
        #expect(statistics.coalesced == 1)
        #expect(statistics.decodes == 1)
        #expect(statistics.memory?.insertions == 1)
    }
}
