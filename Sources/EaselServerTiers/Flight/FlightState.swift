#if Server
/// The steps of one node towards a result that several nodes may need at the same time.
///
/// A pure value: the outcome of each step is an event, and returns the next step. At most one node holds the lease of a
/// result. It makes the result, stores it, and ends the lease. The others look for the result, and try the lease again
/// in case its holder is gone. A node that has waited too long, or cannot reach the leases, makes the result itself.
struct FlightState {
    enum Step: Hashable {
        /// Look up the result in all shared tiers, or only in the fastest, and call `didLookUp`.
        case lookUp(everywhere: Bool)
        /// Acquire the lease, and call `didAcquire` or `didFailToAcquire`.
        case acquire
        /// Wait, and call `didWait`.
        case wait(Duration)
        /// Make the result. The lease, if there is one, is renewed meanwhile.
        case produce(Lease?)
        /// End the lease if there is one, and return the result of the lookup.
        case finish(releasing: Lease?)
    }

    struct Configuration: Sendable, Hashable {
        /// The longest time to wait for another node.
        var bound: Duration
        /// The pause after the first unsuccessful lookup, which doubles up to the longest one.
        var firstPause = Duration.milliseconds(10)
        var longestPause = Duration.milliseconds(100)
    }

    private let configuration: Configuration
    private let started: Duration
    private var pause: Duration
    private var lease: Lease?
    private var hasWaited = false

    init(_ configuration: Configuration, at now: Duration) {
        self.configuration = configuration
        started = now
        pause = configuration.firstPause
    }

    /// The first step. The caller has already looked up the result.
    var first: Step { .acquire }

    /// Records the outcome of a lookup.
    mutating func didLookUp(found: Bool) -> Step {
        if found { return .finish(releasing: lease) }
        return lease == nil ? .acquire : .produce(lease)
    }

    /// Records the lease, or that another node holds it.
    mutating func didAcquire(_ lease: Lease?, at now: Duration) -> Step {
        if let lease {
            self.lease = lease
            // Another node may have finished after the last lookup. Its result is in a slow tier at least, which is
            // worth a lookup only if there was such a node.
            return .lookUp(everywhere: hasWaited)
        }
        let remaining = configuration.bound - (now - started)
        guard remaining > .zero else { return .produce(nil) }
        defer { pause = min(pause * 2, configuration.longestPause) }
        return .wait(min(pause, remaining))
    }

    /// Records that the leases cannot be reached.
    mutating func didFailToAcquire() -> Step { .produce(nil) }

    mutating func didWait() -> Step {
        hasWaited = true
        return .lookUp(everywhere: false)
    }
}
#endif
