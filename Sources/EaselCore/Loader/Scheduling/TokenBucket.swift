/// How often something may happen: so many at once, and so many a second in the long run.
public struct RateLimit: Sendable, Hashable {
    /// How many may happen at once after a rest.
    public let burst: Int
    /// How many a second in the long run.
    public let perSecond: Double

    /// A rate; both at least a little over nothing, so that everything happens in the end.
    public init(burst: Int, perSecond: Double) {
        self.burst = max(1, burst)
        self.perSecond = perSecond.isFinite ? min(max(perSecond, 0.001), 1_000_000) : 1_000_000
    }
}

/// Tokens that come at a steady rate, up to a burst (B72). A pure value on a time that is given to it.
///
/// It keeps the one time at which it is full again, and counts in exact durations: who waits as long as it was told has
/// its token, and not almost.
struct TokenBucket: Sendable, Hashable {
    private let burst: Int
    private let interval: Duration
    private var full = Duration.zero

    /// A full bucket.
    init(_ rate: RateLimit) {
        burst = rate.burst
        interval = .nanoseconds(Int64((1_000_000_000 / rate.perSecond).rounded()))
    }

    /// How many tokens there are.
    func count(at now: Duration) -> Int {
        let missing = full - now
        guard missing > .zero else { return burst }
        // A token that is not whole is none.
        let whole = (missing.attoseconds + interval.attoseconds - 1) / interval.attoseconds
        return max(0, burst - Int(clamping: whole))
    }

    /// Whether it is as full as it gets: nobody would miss it.
    func isFull(at now: Duration) -> Bool { full <= now }

    /// Takes a token, or finds that there is none.
    mutating func take(at now: Duration) -> Bool {
        guard count(at: now) > 0 else { return false }
        full = max(full, now) + interval
        return true
    }

    /// How long until there is a token.
    func wait(at now: Duration) -> Duration {
        max(.zero, full - now - interval * (burst - 1))
    }
}
