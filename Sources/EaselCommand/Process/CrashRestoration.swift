import Foundation

/// Brings the terminal back where the process crashes, whose own clean-up then never runs.
enum CrashRestoration {
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

    /// From now on, and for good: where the process crashes `text` is written to standard output first.
    ///
    /// Only bytes that are there already are written: in a crashed process nothing else is safe. The signal then
    /// ends the process as it would have.
    @MainActor
    static func install(_ text: String) {
        guard farewell.isEmpty else { return }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        bytes.copyBytes(from: text.utf8)
        farewell = UnsafeRawBufferPointer(bytes)
        for number in signals {
            signal(number) { number in
                _ = write(STDOUT_FILENO, farewell.baseAddress, farewell.count)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }
}

/// Written once, before a handler is there that reads it, and never freed.
nonisolated(unsafe) private var farewell = UnsafeRawBufferPointer(start: nil, count: 0)
