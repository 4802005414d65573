#if Server
import EaselCore
import EaselTesting
import TestSupport
import Testing

@testable import EaselServerTiers

@Suite("Guarded tier")
struct GuardedTierTests {
    private let fake = FakeTier()
    private let clock = ManualClock()
    private let tier: GuardedTier
    private let key = SharedKey("a")

    init() {
        var configuration = GuardedTier.Configuration.redis
        configuration.maximumCalls = 2
        tier = GuardedTier(fake, configuration, clock: LoadClock(clock))
    }

    /// Advances the clock until a condition is true. Timers of finished calls may still be among its sleepers.
    private func advance(until condition: () -> Bool) async -> Bool {
        await eventually {
            clock.advance(by: .milliseconds(50))
            return condition()
        }
    }

    @Test("lookups and stores are passed on, and counted")
    func passes() async {
        #expect(await tier.value(for: key) == nil)
        try? await tier.store(.text("x"), for: key, lifetime: .seconds(1))
        #expect(await tier.value(for: key) == .text("x"))
        let statistics = tier.statistics
        #expect(statistics.misses == 1 && statistics.hits == 1 && statistics.stores == 1)
        #expect(statistics.running == 0 && !statistics.isOpen)
    }

    @Test("a lookup that takes too long has no value, and ends at its limit")
    func timesOut() async {
        let gate = Gate()
        fake.monitor.update { $0.gate = gate }
        async let value = tier.value(for: key)
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(100))
        #expect(await value == nil)
        #expect(tier.statistics.timeouts == 1)
        gate.open()
    }

    @Test("failures open the breaker, and a ping that succeeds closes it")
    func opens() async {
        fake.monitor.update { $0.error = TierError(.unreachable, "") }
        for _ in 0..<7 { _ = await tier.value(for: key) }
        #expect(tier.statistics.isOpen && tier.statistics.openings == 1)
        #expect(tier.statistics.failures == 5 && tier.statistics.skipped == 2)
        #expect(fake.monitor.state.callCount == 5)

        #expect(await advance { fake.monitor.state.pingCount > 0 })
        #expect(tier.statistics.isOpen)
        fake.monitor.update { $0.error = nil }
        #expect(await advance { !tier.statistics.isOpen })
        try? await tier.store(.text("x"), for: key, lifetime: .seconds(1))
        #expect(await tier.value(for: key) == .text("x"))
    }

    @Test("an error of one command does not open the breaker")
    func refused() async {
        fake.monitor.update { $0.error = TierError(.refused, "OOM") }
        for _ in 0..<20 { _ = await tier.value(for: key) }
        #expect(!tier.statistics.isOpen)
        #expect(tier.statistics.failures == 20 && tier.statistics.lastError == TierError(.refused, "OOM"))
    }

    @Test("calls over the limit are not made, and a call counts until it has ended")
    func tooMany() async {
        let gate = Gate()
        fake.monitor.update { $0.gate = gate }
        async let first = tier.value(for: key)
        async let second = tier.value(for: key)
        _ = await fake.monitor.wait { $0.callCount == 2 }
        #expect(await tier.value(for: key) == nil)
        #expect(tier.statistics.rejected == 1 && tier.statistics.running == 2)
        #expect(fake.monitor.state.callCount == 2)
        gate.open()
        _ = await (first, second)
        #expect(tier.statistics.running == 0)
    }

    @Test("values over the limit of stores are not stored, and lookups continue")
    func tooManyStores() async throws {
        var configuration = GuardedTier.Configuration.redis
        configuration.maximumStores = 1
        let tier = GuardedTier(fake, configuration, clock: LoadClock(clock))
        let gate = Gate()
        fake.monitor.update { $0.gate = gate }
        async let first: Void? = try? tier.store(.text("x"), for: key, lifetime: .seconds(1))
        _ = await fake.monitor.wait { $0.callCount == 1 }
        fake.monitor.update { $0.gate = nil }
        await #expect { try await tier.store(.text("y"), for: key, lifetime: .seconds(1)) } throws: {
            ($0 as? TierError)?.code == .busy
        }
        #expect(await tier.value(for: key) == nil)
        gate.open()
        _ = await first
        try await tier.store(.text("z"), for: key, lifetime: .seconds(1))
        #expect(await tier.value(for: key) == .text("z"))
    }

    @Test("a removal that fails throws")
    func removal() async {
        fake.monitor.update { $0.error = TierError(.unreachable, "") }
        await #expect(throws: TierError.self) { try await tier.removeAll(inGroup: "") }
    }

    @Test("a cancelled lookup ends at once, and is not a failure of the server")
    func cancelled() async {
        let gate = Gate()
        fake.monitor.update { $0.gate = gate }
        let task = Task { await tier.value(for: key) }
        _ = await fake.monitor.wait { $0.callCount == 1 }
        task.cancel()
        #expect(await task.value == nil)
        #expect(tier.statistics.failures == 0 && tier.statistics.timeouts == 0)
        gate.open()
    }

    @Test("leases share the breaker of their tier")
    func leases() async throws {
        let leases = FakeLeases()
        let guarded = GuardedLeases(leases, sharing: tier)
        #expect(try await guarded.acquire(key, for: .seconds(1)) != nil)
        fake.monitor.update { $0.error = TierError(.timedOut, "") }
        for _ in 0..<5 { _ = await tier.value(for: key) }
        await #expect(throws: TierError.self) { try await guarded.acquire(key, for: .seconds(1)) }
        #expect(leases.monitor.state.attemptCount == 1)
    }
}
#endif
