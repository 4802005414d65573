internal import CEaselCurl
internal import CEaselSystem
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What libcurl's thread sleeps on: libcurl's sockets, and a pipe by which it is woken.
struct Sleep: ~Copyable, Sendable {
    /// Wakes a thread that sleeps. Both ends of its pipe are there for as long as anybody may ring, also behind the thread's end:
    /// to write where nobody can read is a signal that ends the process.
    final class Alarm: Sendable {
        fileprivate let reading: Int32
        private let writing: Int32

        /// `nil` where the process has no descriptor left.
        fileprivate init?() {
            var (reading, writing): (Int32, Int32) = (-1, -1)
            guard easel_pipe_open(&reading, &writing) == 0 else { return nil }
            self.reading = reading
            self.writing = writing
        }

        deinit {
            close(reading)
            close(writing)
        }

        /// Writes one byte, and does not block, as there are never many.
        func ring() {
            var byte: UInt8 = 0
            _ = write(writing, &byte, 1)
        }

        /// Waits for a byte, and takes all that are there.
        fileprivate func quiet() {
            withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { _ = read(reading, $0.baseAddress, $0.count) }
        }
    }

    let alarm: Alarm
    private var watches: [SocketTable.Watch] = []
    private var polled: [pollfd]

    /// `nil` where the process has no descriptor left.
    init?() {
        guard let alarm = Alarm() else { return nil }
        self.alarm = alarm
        polled = [pollfd(fd: alarm.reading, events: Int16(POLLIN), revents: 0)]
    }

    /// Sleeps until one of these has news, or somebody rings, or the time is over.
    ///
    /// - Returns: whether it could.
    mutating func sleep(on watches: [SocketTable.Watch], milliseconds: Int32) -> Bool {
        if watches != self.watches {
            self.watches = watches
            polled.removeLast(polled.count - 1)
            polled += watches.map { pollfd(fd: $0.descriptor, events: $0.interest.events, revents: 0) }
        }
        guard poll(&polled, nfds_t(polled.count), milliseconds) >= 0 else {
            let reason = errno
            takeNews { _, _ in }
            return reason == EINTR || reason == EAGAIN
        }
        if polled[0].revents != 0 { untilAlarm() }
        return true
    }

    /// Sleeps until somebody rings, and leaves what news there are.
    borrowing func untilAlarm() { alarm.quiet() }

    /// Calls `body` with each socket that had news since the last call, and with what, in libcurl's terms.
    mutating func takeNews(_ body: (_ descriptor: Int32, _ news: Int32) -> Void) {
        for place in polled.indices.dropFirst() {
            let socket = polled[place]
            guard socket.revents != 0 else { continue }
            polled[place].revents = 0
            body(socket.fd, Self.news(socket.revents))
        }
    }

    private static func news(_ events: Int16) -> Int32 {
        let events = Int32(events)
        var news: Int32 = 0
        // A connection that has ended is read to its end.
        if events & (POLLIN | POLLHUP) != 0 { news |= CURL_CSELECT_IN }
        if events & POLLOUT != 0 { news |= CURL_CSELECT_OUT }
        if events & (POLLERR | POLLNVAL) != 0 { news |= CURL_CSELECT_ERR }
        return news
    }
}

extension SocketTable.Interest {
    fileprivate var events: Int16 {
        Int16((contains(.reading) ? POLLIN : 0) | (contains(.writing) ? POLLOUT : 0))
    }
}
