import EaselTesting
import Synchronization

@testable import EaselCore

/// A network with reachability set by the test.
final class ScriptedNetwork: NetworkReachability {
    private let gate = Mutex<Gate?>(nil)
    /// One event for each waiter.
    let waiters = Recorder<Int>()

    var isReachable: Bool {
        get { gate.withLock { $0 == nil } }
        set {
            let opened = gate.withLock { gate in
                defer { gate = newValue ? nil : gate ?? Gate() }
                return newValue ? gate : nil
            }
            opened?.open()
        }
    }

    func waitUntilReachable() async throws {
        let gate = gate.withLock { $0 }
        waiters.record(1)
        try await gate?.wait()
    }
}
