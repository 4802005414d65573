/// When to look again at the start of a file in which something was not found: not at every byte, since each look reads
/// from the start, but each time that it has grown by a sixteenth. All looks together then cost as much as a few.
struct Growth {
    private var lookedAt = 0

    /// Whether there is anything that was not looked at. It is now.
    mutating func hasGrown(_ count: Int) -> Bool {
        defer { lookedAt = count }
        return count > lookedAt
    }

    /// Whether there is enough that was not looked at. It is now.
    mutating func isWorthAnotherLook(_ count: Int) -> Bool {
        guard count > lookedAt + lookedAt / 16 else { return false }
        lookedAt = count
        return true
    }
}
