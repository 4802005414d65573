#if Server
import EaselCore
import EaselTesting
import Synchronization
import Testing

@testable import EaselServerTiers

@Suite("Shared work")
struct SharedFlightTests {
    private struct Failure: Error, Equatable {}

    private let tier = FakeTier()
    private let leases = FakeLeases()
    private let clock = ManualClock()
    private let key = SharedKey("a")

    private func flight() -> SharedFlight { SharedFlight(leases: leases, .init(), clock: LoadClock(clock)) }

    private func run(
        _ flight: SharedFlight, _ produce: () async throws(Failure) -> SharedValue
    ) async throws(Failure) -> SharedValue {
        try await flight.run(
            key, lookUp: { _ in tier.monitor.state.values[key] }, produce: produce,
            store: { value in tier.monitor.update { $0.values[key] = value } })
    }

    @Test("one of two nodes produces, and the other gets its result")
    func joins() async throws {
        let (first, second) = (flight(), flight())
        let gate = Gate()
        let produced = Monitor(0)
        let task = Task {
            try await run(first) { () async throws(Failure) in
                produced.update { $0 += 1 }
                try? await gate.wait()
                return .text("x")
            }
        }
        _ = await produced.wait { $0 == 1 }
        let waiting = Task { try await run(second) { () async throws(Failure) in .text("y") } }
        // The renewal of the first node, and the pause of the second.
        await clock.waitForSleepers(2)
        gate.open()
        #expect(try await task.value == .text("x"))
        await first.finish()
        clock.advance(by: .milliseconds(10))
        #expect(try await waiting.value == .text("x"))
        #expect(first.statistics.led == 1 && second.statistics.joined == 1)
        #expect(leases.monitor.state.tokens.isEmpty)
    }

    @Test("a node that waits takes over after the lease of a dead node has expired")
    func deadNode() async throws {
        leases.monitor.update { $0.tokens[key] = "dead" }
        let flight = flight()
        let task = Task { try await run(flight) { () async throws(Failure) in .text("y") } }
        await clock.waitForSleepers()
        leases.monitor.update { $0.tokens[key] = nil }
        clock.advance(by: .milliseconds(10))
        #expect(try await task.value == .text("y"))
        await flight.finish()
        #expect(flight.statistics.led == 1)
    }

    @Test("a node that has waited too long produces without the lease")
    func bound() async throws {
        leases.monitor.update { $0.tokens[key] = "slow" }
        let flight = flight()
        let task = Task { try await run(flight) { () async throws(Failure) in .text("y") } }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        #expect(try await task.value == .text("y"))
        await flight.finish()
        #expect(flight.statistics.alone == 1)
        #expect(tier.monitor.state.values[key] == .text("y"))
        #expect(leases.monitor.state.tokens[key] == "slow")
    }

    @Test("without leases, each node produces")
    func noLeases() async throws {
        leases.monitor.update { $0.error = TierError(.unavailable, "") }
        let flight = flight()
        #expect(try await run(flight) { () async throws(Failure) in .text("y") } == .text("y"))
        await flight.finish()
        #expect(flight.statistics.alone == 1)
    }

    @Test("a slow store does not delay the result, and the lease lasts until its end")
    func slowStore() async throws {
        let gate = Gate()
        let flight = flight()
        let value = try await flight.run(
            key, lookUp: { _ in nil }, produce: { () async throws(Failure) in .text("y") },
            store: { _ in try? await gate.wait() })
        #expect(value == .text("y"))
        #expect(leases.monitor.state.tokens[key] != nil)
        gate.open()
        await flight.finish()
        #expect(leases.monitor.state.tokens[key] == nil)
    }

    @Test("a lease is renewed while the result is made")
    func renews() async throws {
        let gate = Gate()
        let flight = flight()
        let task = Task {
            try await run(flight) { () async throws(Failure) in
                try? await gate.wait()
                return .text("y")
            }
        }
        for count in 1...3 {
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(700))
            _ = await leases.monitor.wait { $0.renewalCount == count }
        }
        gate.open()
        #expect(try await task.value == .text("y"))
    }

    @Test("a result whose lease was lost is returned, and not stored")
    func lostLease() async throws {
        let flight = flight()
        let value = try await run(flight) { () async throws(Failure) in
            leases.monitor.update { $0.tokens[key] = "other" }
            return .text("y")
        }
        #expect(value == .text("y"))
        await flight.finish()
        #expect(flight.statistics.lost == 1)
        #expect(tier.monitor.state.values[key] == nil)
        #expect(leases.monitor.state.tokens[key] == "other")
    }

    @Test("a failure is thrown, and ends the lease")
    func fails() async {
        let flight = flight()
        await #expect(throws: Failure()) {
            try await run(flight) { () async throws(Failure) in throw Failure() }
        }
        #expect(leases.monitor.state.tokens.isEmpty)
    }

    @Test("a cancelled wait continues with the production, which throws")
    func cancelled() async {
        leases.monitor.update { $0.tokens[key] = "slow" }
        let flight = flight()
        let task = Task { try await run(flight) { () async throws(Failure) in throw Failure() } }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: Failure()) { try await task.value }
    }
}
#endif
