import Dispatch

/// Work that blocks its thread until a test lets it go.
final class HeldWork: Sendable {
    private let beginning = Recorder<Void>()
    private let gate = DispatchSemaphore(value: 0)

    func hold() {
        beginning.record(())
        gate.wait()
    }

    /// Returns when the work has begun.
    func begun() async { await beginning.wait(for: 1) }

    func release() { gate.signal() }
}
