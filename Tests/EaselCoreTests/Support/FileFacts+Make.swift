import EaselFoundation

@testable import EaselCore

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
