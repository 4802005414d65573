#if Server
/// The number of calls of a guarded tier by outcome, for metrics and readiness.
public struct TierStatistics: Sendable, Hashable {
    /// The lookups that found a value.
    public var hits = 0
    /// The lookups that found none.
    public var misses = 0
    /// The stored values.
    public var stores = 0
    /// The other calls that succeeded: removals, and those for leases.
    public var others = 0
    /// The calls that failed, without those below.
    public var failures = 0
    /// The calls that exceeded their time limit.
    public var timeouts = 0
    /// The calls that were not made because a circuit breaker was open.
    public var skipped = 0
    /// The calls that were not made because too many were running.
    public var rejected = 0
    /// The calls that are running, including those that have exceeded their limit and have not ended.
    public var running = 0
    /// The values that are being stored.
    public var storing = 0
    /// The time of all finished lookups together.
    public var lookupTime = Duration.zero
    /// How often the circuit breaker has opened.
    public var openings = 0
    /// Whether the circuit breaker is open, so that the tier is not used.
    public var isOpen = false

    /// The error of the last call that failed or exceeded its limit, for logs; `nil` if none did.
    public var lastError: TierError?

    /// Creates statistics without calls.
    public init() {}
}

extension TierStatistics {
    /// Counts a call that failed.
    mutating func count(_ error: TierError) {
        switch error.code {
        case .timedOut: timeouts += 1
        case .unavailable: return skipped += 1
        case .busy: return rejected += 1
        case .unreachable, .refused, .unauthorized, .invalidReply, .tooLarge, .invalidConfiguration: failures += 1
        case .cancelled, .shutDown: return
        }
        lastError = error
    }
}
#endif
