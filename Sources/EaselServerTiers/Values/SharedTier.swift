#if Server
/// A cache of results that several image servers share.
///
/// A tier may lose values at any time. It throws when it cannot answer; a caller then continues without it. Calls of
/// a `GuardedTier` end within a time limit.
public protocol SharedTier: Sendable {
    /// A short name for metrics, such as `redis`.
    var name: String { get }

    /// Returns the value for a key; `nil` if there is none, it is damaged, or its lifetime is over.
    func value(for key: SharedKey) async throws(TierError) -> SharedValue?

    /// Stores a value for a time.
    ///
    /// A tier ignores a value that is larger than it keeps.
    func store(_ value: SharedValue, for key: SharedKey, lifetime: Duration) async throws(TierError)

    /// Removes the values of a group of keys. Returns the number of removed values.
    @discardableResult
    func removeAll(inGroup group: String) async throws(TierError) -> Int

    /// Checks that the server answers.
    func ping() async throws(TierError)

    /// Closes the connections. Later calls throw `TierError.shutDown`.
    func shutDown() async
}

/// The permission of one node to make the value for a key, limited in time.
public struct Lease: Sendable, Hashable {
    /// The key.
    public let key: SharedKey
    /// A random text that no other lease has. A node whose token is no longer stored has lost its lease.
    public let token: String
    /// The time from the acquisition or the last renewal to the expiry.
    public let duration: Duration

    /// Creates a lease, for a provider.
    public init(key: SharedKey, token: String, duration: Duration) {
        self.key = key
        self.token = token
        self.duration = duration
    }
}

/// A store of leases that several servers share.
public protocol LeaseProvider: Sendable {
    /// Acquires the lease for a key. Returns `nil` if another one is valid.
    func acquire(_ key: SharedKey, for duration: Duration) async throws(TierError) -> Lease?

    /// Extends a lease by its duration. Returns `false` if it was lost.
    func renew(_ lease: Lease) async throws(TierError) -> Bool

    /// Ends a lease. Has no effect on a lease that another node holds.
    func release(_ lease: Lease) async throws(TierError)
}
#endif
