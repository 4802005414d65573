import Dispatch

/// Work that blocks its thread until a test releases it.
package final class BlockingWork: Sendable {
    private let beginning = Recorder<Void>()
    private let gate = DispatchSemaphore(value: 0)

    package init() {}

    /// Blocks the calling thread.
    package func block() {
        beginning.record(())
        gate.wait()
    }

    /// Returns when the work has begun `count` times.
    package func waitForStart(_ count: Int = 1) async { await beginning.wait(for: count) }

    /// Releases one blocked piece of work.
    package func release() { gate.signal() }
}
