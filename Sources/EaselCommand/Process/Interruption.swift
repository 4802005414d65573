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
    private let queue = DispatchQueue(label: "easel-signals")

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// How long the loads have to clean up after themselves before the process ends without them.
    private static let grace = DispatchTimeInterval.seconds(1)

    /// Calls `cancel` at the first signal. The process shall end by itself then; it is ended by a second signal, and when
    /// the grace period is over.
    ///
    /// Each signal is written into a pipe by a handler, as nothing else is safe there. A dispatch source for the signals
    /// themselves misses some on Linux: the kernel throws an ignored signal away unless the first thread blocks it.
    ///
    /// - Returns: what has to be kept for as long as signals shall be heard.
    func watch(cancel: @escaping @Sendable () -> Void) -> any DispatchSourceRead {
        let pipe = signalPipe
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.reading, queue: queue)
        source.setEventHandler { [self] in
            var number: UInt8 = 0
            if read(pipe.reading, &number, 1) == 1 { take(128 + Int32(number), cancel) }
        }
        source.resume()
        for number in Self.signals {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(signalPipe.writing, &byte, 1)
            }
        }
        return source
    }

    private func take(_ status: Int32, _ cancel: () -> Void) {
        let isFirst = received.withLock { received in
            defer { received = received ?? status }
            return received == nil
        }
        guard isFirst else { Self.end(status) }
        cancel()
        queue.asyncAfter(deadline: .now() + Self.grace) { Self.end(status) }
    }

    private static func end(_ status: Int32) -> Never {
        ExitActions.shared.runAll()
        // Not exit(): it would destroy what other threads still use.
        _exit(status)
    }
}

/// From the signal handler, which can hold no context, to the queue. Made before a handler is there to use it.
private let signalPipe: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    // Without descriptors there are no signals to hear, and every load fails with a reason of its own.
    _ = pipe(&ends)
    return (ends[0], ends[1])
}()
