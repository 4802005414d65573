#if Server
import EaselCore

/// A tier whose failures cost a bounded time, and no request.
///
/// Each call has a time limit. After several failures a circuit breaker opens, and calls are not made until the server
/// answers a ping. Lookups do not throw: a tier that cannot answer has no value.
public struct GuardedTier: SharedTier {
    /// The limits of a tier.
    public struct Configuration: Sendable, Hashable {
        /// The longest time of a lookup.
        public var lookupLimit: Duration
        /// The longest time of storing a value.
        public var storeLimit: Duration
        /// The longest time of a removal.
        public var removalLimit: Duration
        /// The longest time of a ping.
        public var pingLimit: Duration
        /// The number of calls that may run at a time. Further ones are not made.
        public var maximumCalls = 256
        /// The number of values that may be stored at a time. Further ones are not, and `store` throws
        /// `TierError.busy`: a slow server would answer no lookup in time.
        public var maximumStores = 256
        /// The number of failures among the last 20 calls that opens the circuit breaker.
        public var failureLimit = 5

        /// Creates limits.
        public init(lookupLimit: Duration, storeLimit: Duration, removalLimit: Duration, pingLimit: Duration) {
            self.lookupLimit = lookupLimit
            self.storeLimit = storeLimit
            self.removalLimit = removalLimit
            self.pingLimit = pingLimit
        }

        /// The limits for Redis in the same network: 100 ms for a lookup.
        public static let redis = Configuration(
            lookupLimit: .milliseconds(100), storeLimit: .milliseconds(500), removalLimit: .seconds(5),
            pingLimit: .milliseconds(500))

        /// The limits for an object store: 1 s for a lookup, and eight values are stored at a time.
        public static let objectStore: Configuration = {
            var configuration = Configuration(
                lookupLimit: .seconds(1), storeLimit: .seconds(10), removalLimit: .seconds(30),
                pingLimit: .seconds(2))
            configuration.maximumStores = 8
            return configuration
        }()
    }

    private let tier: any SharedTier
    private let configuration: Configuration
    private let clock: LoadClock
    let calls: CallGuard

    /// Creates a guarded tier.
    public init(_ tier: any SharedTier, _ configuration: Configuration) {
        self.init(tier, configuration, clock: LoadClock(ContinuousClock()))
    }

    init(_ tier: any SharedTier, _ configuration: Configuration, clock: LoadClock) {
        self.tier = tier
        self.configuration = configuration
        self.clock = clock
        var breaker = CircuitBreaker.Configuration()
        breaker.failureLimit = configuration.failureLimit
        calls = CallGuard(
            maximumCalls: configuration.maximumCalls, pingLimit: configuration.pingLimit, breaker: breaker,
            clock: clock
        ) { () async throws(TierError) in try await tier.ping() }
    }

    /// The name of the tier.
    public var name: String { tier.name }

    /// The number of calls by outcome, and whether the tier is in use.
    public var statistics: TierStatistics { calls.statistics }

    /// Returns the value for a key; `nil` also if the tier cannot answer in time.
    public func value(for key: SharedKey) async -> SharedValue? {
        do throws(TierError) {
            return try await calls.run(
                limit: configuration.lookupLimit,
                count: { statistics, value, time in
                    if value == nil { statistics.misses += 1 } else { statistics.hits += 1 }
                    statistics.lookupTime += time
                }
            ) { [tier] () async throws(TierError) in try await tier.value(for: key) }
        } catch {
            return nil
        }
    }

    /// Stores a value, if the tier accepts it in time.
    public func store(_ value: SharedValue, for key: SharedKey, lifetime: Duration) async throws(TierError) {
        try await calls.run(
            limit: configuration.storeLimit, maximumStores: configuration.maximumStores,
            count: { statistics, _, _ in statistics.stores += 1 }
        ) { [tier] () async throws(TierError) in try await tier.store(value, for: key, lifetime: lifetime) }
    }

    /// Removes the values of a group of keys.
    @discardableResult
    public func removeAll(inGroup group: String) async throws(TierError) -> Int {
        try await calls.run(limit: configuration.removalLimit) {
            [tier] () async throws(TierError) in try await tier.removeAll(inGroup: group)
        }
    }

    /// Checks that the server answers, also while the circuit breaker is open.
    public func ping() async throws(TierError) {
        try await withLimit(configuration.pingLimit, clock: clock) {
            [tier] () async throws(TierError) in try await tier.ping()
        }
    }

    /// Closes the connections of the tier.
    public func shutDown() async {
        calls.shutDown()
        await tier.shutDown()
    }
}

/// Leases with the limits and the circuit breaker of a tier on the same server.
public struct GuardedLeases: LeaseProvider {
    private let leases: any LeaseProvider
    private let calls: CallGuard
    private let limit: Duration

    /// Creates guarded leases.
    ///
    /// - Parameters:
    ///   - leases: The leases whose calls are guarded.
    ///   - tier: A tier on the server that has the leases.
    ///   - limit: The longest time of a call.
    public init(_ leases: any LeaseProvider, sharing tier: GuardedTier, limit: Duration = .milliseconds(100)) {
        self.leases = leases
        self.limit = limit
        calls = tier.calls
    }

    /// Acquires the lease for a key. Returns `nil` if another one is valid.
    public func acquire(_ key: SharedKey, for duration: Duration) async throws(TierError) -> Lease? {
        try await calls.run(limit: limit) { [leases] () async throws(TierError) in
            try await leases.acquire(key, for: duration)
        }
    }

    /// Extends a lease by its duration. Returns `false` if it was lost.
    public func renew(_ lease: Lease) async throws(TierError) -> Bool {
        try await calls.run(limit: limit) { [leases] () async throws(TierError) in
            try await leases.renew(lease)
        }
    }

    /// Ends a lease.
    public func release(_ lease: Lease) async throws(TierError) {
        try await calls.run(limit: limit) { [leases] () async throws(TierError) in
            try await leases.release(lease)
        }
    }
}
#endif
