/// How many new attempts each host is still worth: a server that is down gets its first requests, but not several times
/// as many from all who try again. A pure value.
struct RetryBudget: Sendable {
    private let rate: RateLimit?
    private var buckets: [String: TokenBucket] = [:]
    private static let capacity = 256

    /// - Parameter rate: a host's; `nil` sets no bound.
    init(_ rate: RateLimit?) {
        self.rate = rate
    }

    /// How many hosts are remembered.
    var hostCount: Int { buckets.count }

    /// Whether one more attempt is allowed; it is then counted.
    mutating func take(_ host: String, at now: Duration) -> Bool {
        guard let rate else { return true }
        if buckets.count >= Self.capacity, buckets[host] == nil { forgetRested(at: now) }
        return buckets[host, default: TokenBucket(rate)].take(at: now)
    }

    /// Forgets hosts whose budget is whole again; if that is not enough, all: better a few attempts too many than memory
    /// that grows with every name.
    private mutating func forgetRested(at now: Duration) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        if buckets.count >= Self.capacity { buckets.removeAll() }
    }
}
