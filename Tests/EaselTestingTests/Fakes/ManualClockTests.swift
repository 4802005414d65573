import EaselTesting
import Synchronization
import Testing

@Suite("Manual clock", .timeLimit(.minutes(1)))
struct ManualClockTests {
    private let clock = ManualClock()

    @Test("Its time changes only when it is advanced")
    func doesNotAdvance() {
        let start = clock.now
        #expect(start.offset == .zero)
        clock.advance(by: .seconds(3))
        #expect(start.duration(to: clock.now) == .seconds(3))
    }

    @Test("A sleeper wakes at its deadline and not before")
    func deadline() async throws {
        let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        #expect(clock.sleeperCount == 0)
        try await sleeper.value
    }

    @Test("Sleeping until a past deadline returns at once")
    func past() async throws {
        clock.advance(by: .seconds(1))
        try await clock.sleep(until: clock.now)
        #expect(clock.sleeperCount == 0)
    }

    @Test("One advance past several deadlines wakes all sleepers, none before its deadline")
    func severalDeadlines() async throws {
        let sleepers = [3, 1, 2].map { seconds in
            Task { [clock] in
                try await clock.sleep(for: .seconds(seconds))
                return clock.now.offset >= .seconds(seconds)
            }
        }
        await clock.waitForSleepers(3)
        clock.advance(by: .seconds(3))
        for sleeper in sleepers { #expect(try await sleeper.value) }
    }

    @Test("A cancelled sleeper throws at once and is no longer counted")
    func cancelled() async {
        let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
        await clock.waitForSleepers(1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("Cancelling one of two sleepers with the same deadline leaves the other asleep")
    func cancelledOfTwo() async throws {
        let cancelled = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
        let other = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
        await clock.waitForSleepers(2)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(2))
        try await other.value
    }

    @Test("A task that is already cancelled does not sleep")
    func cancelledBefore() async {
        let gate = Gate()
        let sleeper = Task { [clock] in
            try? await gate.wait()
            try await clock.sleep(for: .seconds(2))
        }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
