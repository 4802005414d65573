import Synchronization

/// `.tmp-PID-N`: the name of a file that needs one while it is written, which tells who writes it.
enum TemporaryName {
    private static let prefix = ".tmp-"
    /// Names that this process has used.
    static let count = Atomic<Int>(0)
    /// A file of this age in seconds is left over even where a process with its number lives.
    static let longestLife = 86_400.0

    /// A name that nobody in this process has used. One that died may have: in a container all have the same number.
    static func next() -> String {
        "\(prefix)\(processNumber)-\(count.add(1, ordering: .relaxed).newValue)"
    }

    /// The number of the process that wrote a file of this name; `nil` for any other name.
    static func owner(of name: String) -> Int32? {
        guard name.hasPrefix(prefix) else { return nil }
        let numbers = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, UInt(numbers[1]) != nil, let owner = Int32(numbers[0]), owner > 0 else { return nil }
        return owner
    }

    /// Whether nobody writes a file of this name any more (B51).
    static func isLeftOver(owner: Int32, modified: Double, now: Double) -> Bool {
        let mayBeInUse = owner == processNumber || isProcessAlive(owner)
        return !mayBeInUse || now - modified >= longestLife
    }
}
