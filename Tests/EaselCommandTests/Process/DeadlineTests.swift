import EaselCore
import Testing

@testable import easel

@Suite("Deadline")
struct DeadlineTests {
    /// Never returns unless it is cancelled.
    @Sendable private func forever() async throws(ImageError) -> Int {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for await number in stream { return number }
        withExtendedLifetime(continuation) {}
        throw .cancelled
    }

    @Test("an operation within the deadline returns its result or error")
    func result() async throws {
        #expect(try await withDeadline(.seconds(60)) { () async throws(ImageError) in 7 } == 7)
        let error = await #expect(throws: ImageError.self) {
            try await withDeadline(.seconds(60)) { () async throws(ImageError) -> Int in throw .status(404) }
        }
        #expect(error == .status(404))
    }

    @Test("an operation beyond the deadline is cancelled and times out")
    func timeout() async {
        let error = await #expect(throws: ImageError.self) { try await withDeadline(.milliseconds(1), forever) }
        #expect(error == .timedOut(.total))
    }

    @Test("a cancelled caller receives `cancelled` instead of a timeout")
    func cancelledCaller() async {
        let waiting = Task { try await withDeadline(.seconds(60), forever) }
        waiting.cancel()
        let error = await #expect(throws: ImageError.self) { try await waiting.value }
        #expect(error == .cancelled)
    }
}
