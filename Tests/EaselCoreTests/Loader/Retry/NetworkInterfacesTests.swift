import EaselTesting
import Synchronization
import Testing

@testable import EaselCore

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
