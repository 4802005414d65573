import EaselFoundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that somebody names, read without ever waiting for it: a pipe that nobody writes to holds up no thread.
///
/// It is read and not mapped: a mapped file that another process cuts short ends this one (SIGBUS).
final class SourceFile: Sendable {
    private let descriptor: Int32
    private let expected: Int

    /// Opens a regular file, a pipe or a terminal.
    ///
    /// - Throws: the system's reason; `EISDIR` for a folder, `ENOTSUP` for a disk and the like.
    init(_ path: String) throws(SystemError) {
        // Without O_NONBLOCK a pipe is not even open before somebody writes to it.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .last }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        expected = max(0, Int(status.st_size))
        // Everything is set: whoever throws from here on has `deinit` run, which closes. To close here too could hit a file
        // that another thread has opened since.
        switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFIFO, S_IFCHR: return
        case S_IFDIR: throw SystemError(number: EISDIR)
        default: throw SystemError(number: ENOTSUP)
        }
    }

    deinit { close(descriptor) }

    /// Adds what is there to `data`, up to one byte over `limit`. Returns whether that is all that comes; otherwise a
    /// writer has to write first. The calls may block on a slow disk.
    func read(into data: inout Data, limit: Int) throws(SystemError) -> Bool {
        let limit = min(max(0, limit), Int.max / 2)
        while data.count <= limit {
            let filled = data.count
            // One byte more than is expected finds the end in the same call.
            let wanted = filled < expected ? expected - filled + 1 : Self.pieceSize
            let room = min(wanted, limit - filled + 1)
            data.append(Data(count: room))
            let count = data.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { systemRead(descriptor, $0 + filled, room) } ?? 0
            }
            let error = SystemError.last
            data.removeLast(room - max(0, count))
            if count == 0 { return true }
            if count < 0, error.isInterrupted { continue }
            if count < 0, error.number == EAGAIN { return false }
            if count < 0 { throw error }
        }
        return true
    }

    private static let pieceSize = 64 << 10
}
