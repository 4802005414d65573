public import Synchronization

/// Values in memory, bounded by their summed cost and by their number.
///
/// Which value goes first from a full cache is up to the policy; by default, values that are used again outlive those
/// that are seen once. Every method may be called from any thread, holds one lock for a short time, and takes constant
/// time on the average. Values that leave are released outside the lock, so that their destruction may call the cache.
public final class MemoryCache<Value: Sendable>: Sendable {
    /// Which values go first from a full cache.
    public typealias Policy = EvictionPolicy

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var entries: MemoryEntries<Value>
        /// Removes what has expired, for as long as there is anything that expires one day.
        var cleaner: Task<Void, Never>?
    }

    @usableFromInline let state: Mutex<State>
    /// Whether anything that expires was ever stored: as long as not, reads do not ask what time it is.
    @usableFromInline let mayExpire = Atomic(false)
    /// Whether the configuration gives every value an end.
    @usableFromInline let hasLifetime: Bool
    let configuration: Configuration

    /// An empty cache of the default policy, whose values do not expire.
    ///
    /// - Parameters:
    ///   - maximumCost: in the unit of the costs that are given, bytes for images. 0 disables the cache (B6).
    ///   - maximumCount: 0 disables the cache (B5).
    public convenience init(maximumCost: Int, maximumCount: Int = .max) {
        self.init(Configuration(maximumCost: maximumCost, maximumCount: maximumCount))
    }

    /// An empty cache.
    public convenience init(_ configuration: Configuration) {
        self.init(configuration, weakReference: nil)
    }

    init(_ configuration: Configuration, weakReference: WeakLevel<Value>.MakeReference?) {
        self.configuration = configuration
        hasLifetime = configuration.lifetime != nil
        let entries = MemoryEntries(
            limits: configuration.limits, policy: configuration.policy, weakReference: weakReference)
        state = Mutex(State(entries: entries))
    }

    deinit {
        state.withLock { $0.cleaner }?.cancel()
    }

    /// The value for `key`, which counts as a use.
    @inlinable
    public func value(for key: consuming CacheKey) -> Value? {
        value(for: key.consumedDigest())
    }

    /// Whether there is a value for `key`. That is no use, and is not counted in the statistics.
    public func contains(_ key: CacheKey) -> Bool {
        let now = now
        var released = Released<Value>()
        return state.withLock { $0.entries.contains(key.digest, at: now, released: &released) }
    }

    /// Stores a value, in place of one that is there (B2), for the lifetime that the cache was configured with.
    ///
    /// One that is dearer than the whole cache, or than one value may be, is not stored and evicts nothing (B3). What it
    /// would have replaced is out of date, and goes.
    ///
    /// - Parameter cost: counted as 0 where it is negative.
    @inlinable
    public func store(_ value: Value, cost: Int, for key: consuming CacheKey) {
        store(value, cost: cost, for: key.consumedDigest())
    }

    /// Removes a value and returns it; also one that was evicted and that somebody still holds.
    @discardableResult
    public func remove(_ key: CacheKey) -> Value? {
        remove(key.digest)
    }

    /// Removes everything, and forgets what was evicted and is still held.
    public func removeAll() {
        let removed = state.withLock { $0.entries.removeAll() }
        withExtendedLifetime(removed) {}
    }

    /// The value for a text and its cost, which counts as a use; setting `nil` removes it.
    public subscript(key: String) -> (Value, cost: Int)? {
        get {
            let (digest, now) = (Digest(of: key), now)
            var released = Released<Value>()
            return state.withLock { state in
                guard let value = state.entries.value(for: digest, at: now, released: &released) else { return nil }
                return (value, cost: state.entries.cost(for: digest) ?? 0)
            }
        }
        set {
            if let newValue {
                store(newValue.0, cost: newValue.cost, for: Digest(of: key))
            } else {
                remove(Digest(of: key))
            }
        }
    }

    @inlinable
    func value(for digest: Digest) -> Value? {
        let now = now
        // Nearly every read ends here, without what carries values out of the lock, which costs as much as the lock.
        if let value = state.withLock({ $0.entries.valueAtOnce(for: digest, at: now) }) { return value }
        var released = Released<Value>()
        return state.withLock { $0.entries.value(for: digest, at: now, released: &released) }
    }

    @inlinable
    func store(_ value: Value, cost: Int, for digest: Digest) {
        if hasLifetime {
            storeForLifetime(value, cost: cost, for: digest)
            return
        }
        var released = Released<Value>()
        state.withLock { $0.entries.store(value, cost: cost, for: digest, released: &released) }
    }

    @discardableResult
    func remove(_ digest: Digest) -> Value? {
        state.withLock { $0.entries.remove(digest) }
    }
}

extension MemoryCache where Value: WeaklyCacheable {
    /// An empty cache that finds evicted values again for as long as somebody else holds them (X097, B15).
    ///
    /// Such a value counts towards no limit until it is read, which stores it again at its cost. `remove` and `removeAll`
    /// forget it; trimming does not.
    public convenience init(keepingHeldValues configuration: Configuration) {
        self.init(configuration) { $0.weakReference() }
    }
}
