import Foundation

/// Standard output or standard error, unbuffered: whole lines are written at once, and a reader sees each when it is there.
struct StandardStream: Sendable {
    /// Results.
    static let output = StandardStream(descriptor: STDOUT_FILENO)
    /// Progress and errors.
    static let error = StandardStream(descriptor: STDERR_FILENO)

    /// The file descriptor behind it.
    let descriptor: Int32

    /// Whether a person is looking.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether what was written can be written over.
    var canMoveCursor: Bool { isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Writes all of `text`.
    ///
    /// - Returns: whether it could be written: the disk behind a redirection may be full.
    @discardableResult
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in write(UnsafeRawBufferPointer(bytes)) }
    }

    /// Writes all of `bytes`; `errno` says why it could not.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = writeOnce(descriptor, UnsafeRawBufferPointer(rebasing: rest))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                awaitSpace()
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Another process may have made the shared terminal non-blocking.
    private func awaitSpace() {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&output, 1, -1)
    }
}

/// Outside of the type, whose own `write` would hide the system's.
private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
