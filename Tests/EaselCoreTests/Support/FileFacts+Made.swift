@testable import EaselCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileFacts {
    /// Those of a file that nobody has made. Times are seconds since 1970.
    static func made(bytes: Int, accessed: Double = 0, modified: Double = 0) -> FileFacts {
        var facts = FileFacts(stat())
        facts.byteCount = bytes
        facts.accessed = accessed
        facts.modified = modified
        return facts
    }
}
