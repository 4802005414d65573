import Dispatch
import Foundation
import Synchronization

/// Hears signals on a queue, where more may be done about them than in a handler.
///
/// Each signal is written into a pipe by a handler, as nothing else is safe there. A dispatch source for the signals
/// themselves misses some on Linux: the kernel throws an ignored signal away unless the first thread blocks it.
final class Signals: Sendable {
    /// Those of the process.
    static let shared = Signals()

    /// Names a listener, to end it.
    struct Token: Sendable, Hashable {
        fileprivate let signal: Int32
        fileprivate let number: Int
    }

    private struct Listeners {
        var bodies: [Token: @Sendable () -> Void] = [:]
        var next = 0
    }

    /// Where listeners are called.
    let queue = DispatchQueue(label: "easel-signals")
    private let listeners = Mutex(Listeners())
    /// Kept, and never touched again. `nil` where there is no pipe, and no signal is heard.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    private init() {
        let reading = signalPipe.reading
        source = reading >= 0 ? DispatchSource.makeReadSource(fileDescriptor: reading, queue: queue) : nil
        source?.setEventHandler { [weak self] in
            var number: UInt8 = 0
            if read(reading, &number, 1) == 1 { self?.tell(Int32(number)) }
        }
        source?.resume()
    }

    /// Calls `body` whenever the signal comes, which then has no other effect.
    @discardableResult
    func listen(to number: Int32, _ body: @escaping @Sendable () -> Void) -> Token {
        let token = listeners.withLock { listeners in
            defer { listeners.next += 1 }
            let token = Token(signal: number, number: listeners.next)
            listeners.bodies[token] = body
            return token
        }
        // Its usual effect is better than none.
        guard source != nil else { return token }
        signal(number) { number in
            // What was interrupted goes on to look at its error.
            let error = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(signalPipe.writing, &byte, 1)
            errno = error
        }
        return token
    }

    /// Calls it no more. A signal that nobody listens to has its usual effect again.
    func end(_ token: Token) {
        let isLast = listeners.withLock { listeners in
            listeners.bodies[token] = nil
            return !listeners.bodies.keys.contains { $0.signal == token.signal }
        }
        if isLast { signal(token.signal, SIG_DFL) }
    }

    private func tell(_ number: Int32) {
        let bodies = listeners.withLock { listeners in
            listeners.bodies.filter { $0.key.signal == number }.sorted { $0.key.number < $1.key.number }.map(\.value)
        }
        for body in bodies { body() }
    }
}

/// From the signal handler, which can hold no context, to the queue. Made before a handler is there to use it.
private let signalPipe: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    // Without descriptors there are no signals to hear, and every load fails with a reason of its own.
    _ = pipe(&ends)
    return (ends[0], ends[1])
}()
