import Synchronization

/// Whether this process is a worker that decodes for another process. A worker may be ended at any time, and has no
/// threads for tasks.
package enum IsolatedProcess {
    private static let flag = Atomic(false)

    package static var isCurrent: Bool { flag.load(ordering: .relaxed) }

    /// Declares this process a worker, before it decodes.
    package static func enter() { flag.store(true, ordering: .relaxed) }
}
