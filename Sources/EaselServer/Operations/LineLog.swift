#if Server
import EaselCore
import EaselFoundation
import Synchronization

/// Writes lines to a descriptor, several at a time, without blocking the caller. Lines are dropped, and counted, while
/// the reader is too slow.
final class LineLog: Sendable {
    private struct State {
        var lines: [UInt8] = []
        var isWriting = false
        var droppedCount = 0
    }

    private let state = Mutex(State())
    private let descriptor: Int32
    private let capacity: Int

    init(descriptor: Int32, capacity: Int = 4 << 20) {
        self.descriptor = descriptor
        self.capacity = capacity
    }

    /// The number of lines that were not written.
    var droppedCount: Int { state.withLock { $0.droppedCount } }

    func write(_ line: String) {
        let begins = state.withLock { state in
            guard state.lines.count + line.utf8.count < capacity else {
                state.droppedCount += 1
                return false
            }
            state.lines += line.utf8
            state.lines.append(UInt8(ascii: "\n"))
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard begins else { return }
        // Not on a shared thread, because a reader that stalls blocks it.
        let isStarted = SystemThread.start("easel-log") { [self] in
            // Lines that arrive meanwhile need no separate call.
            usleep(20_000)
            flush()
        }
        // The next line tries again.
        if !isStarted { state.withLock { $0.isWriting = false } }
    }

    /// Writes all lines. Blocks.
    func flush() {
        while true {
            let lines = state.withLock { state in
                if state.lines.isEmpty { state.isWriting = false }
                defer { state.lines = [] }
                return state.lines
            }
            if lines.isEmpty { return }
            lines.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return }
                    rest = rest.dropFirst(count)
                }
            }
        }
    }
}

/// `write` of the system, whose name a method hides.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    guard let start = bytes.baseAddress else { return 0 }
    return write(file, start, bytes.count)
}
#endif
