import Dispatch
import Foundation
import Synchronization

/// Ends the command decently on ctrl-C, on a hang-up and when it is asked to terminate.
final class Interruption: Sendable {
    /// Those of the process.
    static let shared = Interruption()

    /// The exit status that a signal has asked for, if one has come: 128 and its number, 130 for ctrl-C.
    var status: Int32? { received.withLock { $0 } }

    private let received = Mutex<Int32?>(nil)

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// How long the loads have to clean up after themselves before the process ends without them.
    private static let grace = DispatchTimeInterval.seconds(1)

    /// From now on calls `cancel` at the first signal. The process shall end by itself then; it is ended by a second
    /// signal, and when the grace period is over.
    func watch(cancel: @escaping @Sendable () -> Void) {
        for number in Self.signals {
            Signals.shared.listen(to: number) { [self] in take(128 + number, cancel) }
        }
    }

    private func take(_ status: Int32, _ cancel: () -> Void) {
        let isFirst = received.withLock { received in
            defer { received = received ?? status }
            return received == nil
        }
        guard isFirst else { Self.end(status) }
        cancel()
        Signals.shared.queue.asyncAfter(deadline: .now() + Self.grace) { Self.end(status) }
    }

    private static func end(_ status: Int32) -> Never {
        ExitActions.shared.runAll()
        // Not exit(): it would destroy what other threads still use.
        _exit(status)
    }
}
