import Dispatch
import Foundation
import Synchronization
import EaselCore

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

/// Calls `body`, and cancels it when `limit` is over.
///
/// - Throws: what `body` throws, `ImageError.timedOut(.total)` after the limit, `.cancelled` where the caller is cancelled.
func withDeadline<Value: Sendable>(
    _ limit: Duration?, _ body: @escaping @Sendable () async throws(ImageError) -> Value
) async throws(ImageError) -> Value {
    guard let limit else { return try await body() }
    let outcome = await withTaskGroup(of: Result<Value, ImageError>.self) { group in
        group.addTask {
            do throws(ImageError) { return .success(try await body()) } catch { return .failure(error) }
        }
        group.addTask {
            do { try await Task.sleep(for: limit) } catch { return .failure(.cancelled) }
            return .failure(.timedOut(.total))
        }
        defer { group.cancelAll() }
        return await group.next() ?? .failure(.cancelled)
    }
    return try outcome.get()
}
