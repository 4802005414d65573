/// How short of memory the process or the machine is: what to keep is up to it (B14).
public enum MemoryPressure: Sendable, Hashable, CaseIterable {
    /// Nothing of the application is on screen: half is kept.
    case background
    /// Memory is getting short: a quarter is kept.
    case warning
    /// Memory is short, and processes may be ended for it: nothing is kept (X096).
    case critical

    /// How much a cache keeps of what it has, at most one half.
    var keptShare: Double {
        switch self {
        case .background: 0.5
        case .warning: 0.25
        case .critical: 0
        }
    }
}
