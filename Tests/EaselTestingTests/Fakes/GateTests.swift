import EaselTesting
import Testing

@Suite("Gates", .timeLimit(.minutes(1)))
struct GateTests {
    @Test("A closed gate suspends all waiting tasks, and an open one resumes them")
    func opens() async throws {
        let gate = Gate()
        let waiting = (0..<3).map { _ in Task { try await gate.wait() } }
        #expect(!gate.isOpen)
        gate.open()
        for task in waiting { try await task.value }
        try await gate.wait()
        #expect(gate.isOpen)
    }

    @Test("A cancelled task stops waiting")
    func cancelled() async {
        let gate = Gate()
        let waiting = Task { try await gate.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(!gate.isOpen)
    }

    @Test("A gate is equal only to itself")
    func equality() {
        let gate = Gate()
        #expect(gate == gate)
        #expect(gate != Gate())
    }
}
