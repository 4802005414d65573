/// How far a prefetch is. Every request that was given counts, equal ones each (X186, B76).
public struct PrefetchProgress: Sendable, Hashable {
    /// Requests whose picture, or file, was loaded.
    public internal(set) var finished = 0
    /// Requests that needed nothing loaded: the cache had it.
    public internal(set) var skipped = 0
    /// Requests that failed.
    public internal(set) var failed = 0
    /// Requests that were given.
    public internal(set) var total = 0

    /// Requests that are done with, however they ended.
    public var completed: Int { finished + skipped + failed }

    /// From 0 to 1; 1 where there is nothing to do.
    public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}

/// The end of a prefetch. Where it was cancelled, what was not done with is in `progress.total` alone.
public struct PrefetchSummary: Sendable, Hashable {
    /// How far it came.
    public var progress: PrefetchProgress
    /// Whether it was cancelled before it was done.
    public var isCancelled: Bool
    /// What failed, and why, in the order in which it did. Equal requests are named once.
    public var failures: [Failure]

    /// A request that failed.
    public struct Failure: Sendable, Hashable {
        /// What was asked for.
        public var request: ImageRequest
        /// Why there is none.
        public var error: ImageError
    }
}

/// What happens in a prefetch. There is exactly one `ended`, and it is the last.
public enum PrefetchEvent: Sendable {
    /// Some more requests are done with.
    case progress(PrefetchProgress)
    /// All are done with, or the rest was cancelled.
    case ended(PrefetchSummary)
}
