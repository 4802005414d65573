import Dispatch

/// Work that blocks its thread until a test lets it go.
final class HeldWork: Sendable {
    private let beginning = Recorder<Void>()
    private let gate = DispatchSemaphore(value: 0)

    func hold() {
        beginning.record(())
        gate.wait()
    }

    /// Returns when the work has begun, so many times.
    func begun(_ count: Int = 1) async { await beginning.wait(for: count) }

    /// Lets go one that is held.
    func release() { gate.signal() }
}
