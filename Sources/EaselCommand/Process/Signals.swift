import Dispatch
import Foundation
import Synchronization
import EaselCore

/// A source that delivers signals on a queue, where code is not limited to async-signal-safe functions.
///
/// A handler writes each signal to a pipe. A dispatch source for signals misses some on Linux: the kernel discards an
/// ignored signal unless the main thread blocks it.
final class Signals: Sendable {
    static let shared = Signals()

    struct Token: Sendable, Hashable {
        fileprivate let signal: Int32
        fileprivate let number: Int
    }

    private struct Listeners {
        var bodies: [Token: @Sendable () -> Void] = [:]
        var next = 0
    }

    let queue = DispatchQueue(label: "easel-signals")
    private let listeners = Mutex(Listeners())
    /// Retained for the lifetime of the process. `nil` if there is no pipe; no signals are delivered then.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    private init() {
        let readEnd = signalPipe.readEnd
        source = readEnd >= 0 ? DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: queue) : nil
        source?.setEventHandler { [weak self] in
            var number: UInt8 = 0
            if read(readEnd, &number, 1) == 1 { self?.deliver(Int32(number)) }
        }
        source?.resume()
    }

    /// Calls `body` for each delivery of the signal, instead of its default action.
    @discardableResult
    func listen(to number: Int32, _ body: @escaping @Sendable () -> Void) -> Token {
        let token = listeners.withLock { listeners in
            defer { listeners.next += 1 }
            let token = Token(signal: number, number: listeners.next)
            listeners.bodies[token] = body
            return token
        }
        // Without a pipe, the default action is kept.
        guard source != nil else { return token }
        signal(number) { number in
            // The interrupted code may read `errno` next.
            let error = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(signalPipe.writeEnd, &byte, 1)
            errno = error
        }
        return token
    }

    /// Removes a listener. A signal without listeners has its default action again.
    func end(_ token: Token) {
        let isLast = listeners.withLock { listeners in
            listeners.bodies[token] = nil
            return !listeners.bodies.keys.contains { $0.signal == token.signal }
        }
        if isLast { signal(token.signal, SIG_DFL) }
    }

    private func deliver(_ number: Int32) {
        let bodies = listeners.withLock { listeners in
            listeners.bodies.filter { $0.key.signal == number }.sorted { $0.key.number < $1.key.number }.map(\.value)
        }
        for body in bodies { body() }
    }
}

/// The pipe from the signal handler, which cannot capture context, to the queue. Created before the first handler is
/// installed.
private let signalPipe: (readEnd: Int32, writeEnd: Int32) = {
    var ends: [Int32] = [-1, -1]
    // Without descriptors no signals are delivered; loads fail with their own errors.
    _ = pipe(&ends)
    return (ends[0], ends[1])
}()

/// A handler that ends the command cleanly on SIGINT, SIGTERM and SIGHUP.
final class Interruption: Sendable {
    static let shared = Interruption()

    /// The exit status of the first signal received: 128 plus its number, so 130 for ctrl-C.
    var status: Int32? { received.withLock { $0 } }

    private let received = Mutex<Int32?>(nil)
    private let delegate = Mutex<(@Sendable (Int32) -> Bool)?>(nil)

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// The time that loads have for clean-up before the process exits.
    private static let grace = DispatchTimeInterval.seconds(1)

    /// Calls `cancel` on the first signal. The process exits on a second signal, or when the grace period is over.
    func watch(cancel: @escaping @Sendable () -> Void) {
        for number in Self.signals {
            Signals.shared.listen(to: number) { [self] in handle(128 + number, cancel) }
        }
    }

    /// Calls `body` with each signal first. If it returns `true`, the signal does not end the command.
    func delegate(to body: @escaping @Sendable (_ signal: Int32) -> Bool) { delegate.withLock { $0 = body } }

    private func handle(_ status: Int32, _ cancel: () -> Void) {
        if let body = delegate.withLock({ $0 }), body(status - 128) { return }
        let isFirst = received.withLock { received in
            defer { received = received ?? status }
            return received == nil
        }
        guard isFirst else { Self.end(status) }
        cancel()
        Signals.shared.queue.asyncAfter(deadline: .now() + Self.grace) { Self.end(status) }
    }

    /// Ends the process at once.
    static func end(_ status: Int32) -> Never {
        ExitActions.shared.runAll()
        // `exit()` would destroy globals that other threads still use.
        _exit(status)
    }
}

/// Calls `body`, and cancels it after `limit`.
///
/// - Throws: What `body` throws, `ImageError.timedOut(.total)` after the limit, or `.cancelled` if the caller is
///   cancelled.
func withDeadline<Value: Sendable>(
    _ limit: Duration?, _ body: @escaping @Sendable () async throws(ImageError) -> Value
) async throws(ImageError) -> Value {
    guard let limit else { return try await body() }
    let outcome = await withTaskGroup(of: Result<Value, ImageError>.self) { group in
        group.addTask { await .catching(body) }
        group.addTask {
            do { try await Task.sleep(for: limit) } catch { return .failure(.cancelled) }
            return .failure(.timedOut(.total))
        }
        defer { group.cancelAll() }
        return await group.next() ?? .failure(.cancelled)
    }
    return try outcome.get()
}

extension Result where Failure == ImageError {
    /// Returns the outcome of `body`.
    static func catching(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(ImageError) -> Success
    ) async -> Self {
        do throws(ImageError) { return .success(try await body()) } catch { return .failure(error) }
    }
}
