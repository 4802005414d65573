#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What is written to a file of pressure stall information so that the kernel tells when tasks wait for memory too long.
struct StallTrigger {
    let text: String
    let pressure: MemoryPressure

    /// Both at 7 % of the time, as Android's low memory killer has it (70 ms of a second). The window is 2 s because who has
    /// no privileges may ask for multiples of that alone.
    ///
    /// "some": at least one task waits. "full": none of them gets on.
    static let all = [
        StallTrigger(text: "some 140000 2000000", pressure: .warning),
        StallTrigger(text: "full 140000 2000000", pressure: .critical),
    ]

    /// A descriptor that has news (`POLLPRI`) each time that this befalls; `nil` where the file is not there or takes none.
    func open(_ path: String) -> Int32? {
        let file = systemOpen(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        // With its end: the kernel puts one in place of the last byte.
        let bytes = Array(text.utf8) + [0]
        guard systemWrite(file, bytes, bytes.count) == bytes.count else {
            close(file)
            return nil
        }
        return file
    }
}
