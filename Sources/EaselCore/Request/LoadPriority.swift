/// How urgent a load is. Work that several loads share has the highest of theirs, live (B60).
public enum LoadPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Prefetching, and what is not on screen.
    case low
    /// What is on screen.
    case normal
    /// What the user waits for.
    case high

    /// Ordered by urgency.
    public static func < (first: LoadPriority, second: LoadPriority) -> Bool { first.rawValue < second.rawValue }

    /// The priority of the tasks that such a load runs in.
    var taskPriority: TaskPriority {
        switch self {
        case .low: .low
        case .normal: .medium
        case .high: .high
        }
    }
}
