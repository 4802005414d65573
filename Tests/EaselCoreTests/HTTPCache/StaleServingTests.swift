import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Stale images (RFC 5861)", .timeLimit(.minutes(1)))
struct StaleServingTests {
    @Test("a stale image is used at once, and one refresh serves all requests (3, B88)")
    func whileRevalidating() async throws {
        let fixture = PolicyFixture("max-age=60, stale-while-revalidate=30")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        let gate = Gate()
        fixture.server.replace(value: 7)
        fixture.server.change { $0.gate = gate }
        for size in [TargetSize.original, .small, .tiny, .original] {
            #expect(try await fixture.value(fixture.request { $0.targetSize = size }) == 255)
        }
        gate.open()
        await fixture.manager.finishRefreshes()
        #expect(fixture.server.conditionals == [false, true])
        #expect(try await fixture.value(fixture.request()) == 7)
        #expect(try await fixture.value(fixture.request { $0.targetSize = .small }) == 7)
        #expect(try await fixture.value(fixture.anotherProcess(), fixture.request()) == 7)
        #expect(fixture.server.conditionals == [false, true])
    }

    @Test("a stale image that the cache has lost is loaded with one request")
    func lostImage() async throws {
        let fixture = PolicyFixture("max-age=60, stale-while-revalidate=30")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        try await fixture.cache.removeAll(from: .all)
        fixture.server.replace(value: 7)
        #expect(try await fixture.value(fixture.request()) == 7)
        await fixture.manager.finishRefreshes()
        #expect(fixture.server.conditionals == [false, false])
    }

    @Test("a refresh without a change makes the image fresh without decoding it")
    func unchanged() async throws {
        let fixture = PolicyFixture("max-age=60, stale-while-revalidate=30")
        for _ in 0..<2 {
            _ = try await fixture.value(fixture.request())
            await fixture.manager.finishRefreshes()
            fixture.clock.advance(by: .seconds(61))
        }
        #expect(fixture.server.conditionals == [false, true])
        #expect(fixture.coder.decodes.count == 1)
    }

    @Test("a refresh that fails, or returns no image, changes nothing")
    func failedRefresh() async throws {
        let fixture = PolicyFixture("max-age=60, stale-while-revalidate=30")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        fixture.server.change { $0.error = .status(500) }
        #expect(try await fixture.value(fixture.request()) == 255)
        await fixture.manager.finishRefreshes()
        fixture.server.change {
            $0.error = nil
            $0.file = Data("no image".utf8)
            $0.headers["ETag"] = "\"2\""
        }
        #expect(try await fixture.value(fixture.request()) == 255)
        await fixture.manager.finishRefreshes()
        #expect(try await fixture.value(fixture.request()) == 255)
        await fixture.manager.finishRefreshes()
        #expect(fixture.cache.files.values.allSatisfy { $0 == TestCoder.file() })
        #expect(fixture.log.warnings.isEmpty)
    }

    @Test("shutting down the manager ends its refreshes")
    func shutDown() async throws {
        let fixture = PolicyFixture("max-age=60, stale-while-revalidate=30")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        fixture.server.change { $0.gate = Gate() }
        _ = try await fixture.value(fixture.request())
        fixture.manager.shutDown()
        await fixture.manager.finishRefreshes()
        #expect(fixture.cache.files.count == 1)
    }

    @Test(
        "stale-if-error allows a stale image if the server fails, with a warning (4, B88)",
        arguments: [ImageError.status(503), .unreachable(host: "example.com", reason: "down"), .timedOut(.connect)])
    func ifError(error: ImageError) async throws {
        let fixture = PolicyFixture("max-age=60, stale-if-error=30")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        fixture.server.change { $0.error = error }
        #expect(try await fixture.value(fixture.request()) == 255)
        #expect(fixture.log.warnings == [.outdated(error)])
        #expect(try await fixture.value(fixture.anotherProcess(), fixture.request()) == 255)
        fixture.clock.advance(by: .seconds(30))
        #expect(await fixture.manager.load(try fixture.request()).outcome.error == error)
    }

    @Test("without stale-if-error, a server error is reported")
    func withoutPermission() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        fixture.server.change { $0.error = .status(503) }
        #expect(await fixture.manager.load(try fixture.request()).outcome.error == .status(503))
    }

    @Test("a 410 is reported despite stale-if-error")
    func notFound() async throws {
        let fixture = PolicyFixture("max-age=60, stale-if-error=3000")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        fixture.server.change { $0.error = .status(410) }
        #expect(await fixture.manager.load(try fixture.request()).outcome.error == .status(410))
    }
}
