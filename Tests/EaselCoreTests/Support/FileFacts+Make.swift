@testable import EaselCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileFacts {
    /// Returns facts of a file that does not exist. Times are in seconds since 1970.
    static func make(bytes: Int, accessed: Double = 0, modified: Double = 0) -> FileFacts {
        var facts = FileFacts(stat())
        facts.byteCount = bytes
        facts.accessed = accessed
        facts.modified = modified
        return facts
    }
}
