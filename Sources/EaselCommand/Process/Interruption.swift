import Foundation
import Synchronization

/// Ends the command decently on ctrl-C, on a hang-up and when it is asked to terminate.
///
/// The signals are blocked in every thread and taken by one that does nothing else: there, unlike in a signal handler,
/// everything is allowed.
enum Interruption {
    /// How long the loads have to clean up after themselves before the process ends without them.
    private static let grace: TimeInterval = 1

    /// Blocks the signals. To be called by the main thread before there is another, so that all of them inherit it.
    static func block() {
        var signals = set
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// The exit status that a signal has asked for, if one has come: 128 and its number, 130 for ctrl-C.
    static var status: Int32? { received.withLock { $0 } }

    private static let received = Mutex<Int32?>(nil)

    /// Calls `cancel` at the first signal. The process shall end by itself then; it is ended by a second signal, and when
    /// the grace period is over.
    static func watch(cancel: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            let status = waitForSignal()
            received.withLock { $0 = status }
            cancel()
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: grace)
                end(status)
            }
            end(waitForSignal())
        }
    }

    private static func waitForSignal() -> Int32 {
        var signals = set
        var signal: Int32 = 0
        // It fails only for a set without signals.
        while sigwait(&signals, &signal) != 0 {}
        return 128 + signal
    }

    private static func end(_ status: Int32) {
        ExitActions.shared.runAll()
        // Not exit(): it would wait for other threads' locks and run their destructors under their feet.
        _exit(status)
    }

    private static var set: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }
}
