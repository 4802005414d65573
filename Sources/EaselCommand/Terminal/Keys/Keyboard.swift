import Foundation

/// Reads keys on a thread of its own, because reading waits, until `stop()`.
///
/// Not by a dispatch source: a terminal belongs to the shell too, and must not be made non-blocking.
final class Keyboard: Sendable {
    /// Closed to stop the thread, which waits for that too.
    private let writing: Int32

    /// How long the rest of a key may take: after that an Escape is the key of that name.
    private static let patience: Int32 = 50

    /// Begins to read.
    ///
    /// - Parameter deliver: called with keys in the order in which they are typed, and with `.leave` where the terminal is gone.
    init(_ input: Int32, deliver: @escaping @Sendable ([Key]) -> Void) {
        var ends: [Int32] = [-1, -1]
        // Without descriptors the thread goes on until the process ends.
        _ = pipe(&ends)
        let stopping = ends[0]
        writing = ends[1]
        Thread.detachNewThread {
            Self.read(input, until: stopping, deliver)
            close(stopping)
        }
    }

    /// Reads no more.
    func stop() {
        close(writing)
    }

    private static func read(_ input: Int32, until stopping: Int32, _ deliver: ([Key]) -> Void) {
        var reader = KeyReader()
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            var waiting = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopping, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waiting, nfds_t(waiting.count), reader.isUndecided ? patience : -1)
            if ready < 0, errno == EINTR { continue }
            if waiting[1].revents != 0 { return }
            if ready == 0 {
                deliver([reader.settle()].compactMap(\.self))
                continue
            }
            let count = Foundation.read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard ready > 0, count > 0 else { return deliver([.leave]) }
            let keys = reader.consume(buffer.prefix(count))
            if !keys.isEmpty { deliver(keys) }
        }
    }
}
