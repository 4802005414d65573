import EaselCore
import Testing

@testable import easel

@Suite struct DeadlineTests {
    /// Never returns unless it is cancelled.
    @Sendable private func forever() async throws(ImageError) -> Int {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for await number in stream { return number }
        withExtendedLifetime(continuation) {}
        throw .cancelled
    }

    @Test func aFastOperationReturnsItsResult() async throws {
        #expect(try await withDeadline(.seconds(60)) { () async throws(ImageError) in 7 } == 7)
        let error = await #expect(throws: ImageError.self) {
            try await withDeadline(.seconds(60)) { () async throws(ImageError) -> Int in throw .status(404) }
        }
        #expect(error == .status(404))
    }

    @Test func aSlowOperationIsCancelledAndTimesOut() async {
        let error = await #expect(throws: ImageError.self) { try await withDeadline(.milliseconds(1), forever) }
        #expect(error == .timedOut(.total))
    }

    @Test func aCancelledCallerGetsCancellationInsteadOfATimeout() async {
        let waiting = Task { try await withDeadline(.seconds(60), forever) }
        waiting.cancel()
        let error = await #expect(throws: ImageError.self) { try await waiting.value }
        #expect(error == .cancelled)
    }
}
