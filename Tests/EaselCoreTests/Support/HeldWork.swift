import Dispatch

/// Work that blocks its thread until a test releases it.
final class HeldWork: Sendable {
    private let beginning = Recorder<Void>()
    private let gate = DispatchSemaphore(value: 0)

    func hold() {
        beginning.record(())
        gate.wait()
    }

    /// Returns when the work has begun `count` times.
    func begun(_ count: Int = 1) async { await beginning.wait(for: count) }

    /// Releases one blocked piece of work.
    func release() { gate.signal() }
}
