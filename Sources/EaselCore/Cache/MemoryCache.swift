import Synchronization

/// Values in memory, bounded by their summed cost and by their number; the least recently used goes first.
///
/// Every method may be called from any thread and takes constant time. Values that are evicted are released outside
/// the lock, so that their destruction cannot call back into it.
public final class MemoryCache<Value: Sendable>: Sendable {
    private let state: Mutex<LeastRecentlyUsed<CacheKey, Value>>

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - maximumCost: in the unit of the costs that are given, bytes for images. 0 disables the cache (B6).
    ///   - maximumCount: 0 disables the cache (B5).
    public init(maximumCost: Int, maximumCount: Int = .max) {
        state = Mutex(LeastRecentlyUsed(maximumCost: maximumCost, maximumCount: maximumCount))
    }

    /// The value for `key`, which counts as a use.
    public func value(for key: CacheKey) -> Value? {
        state.withLock { $0.value(for: key) }
    }

    /// Stores a value, in place of one that is there. One that is dearer than the whole cache is not stored and evicts nothing (B3).
    public func store(_ value: Value, cost: Int, for key: CacheKey) {
        let evicted = state.withLock { $0.store(value, cost: cost, for: key) }
        withExtendedLifetime(evicted) {}
    }

    /// Removes a value and returns it.
    @discardableResult
    public func remove(_ key: CacheKey) -> Value? {
        state.withLock { $0.remove(key) }
    }

    /// Removes everything.
    public func removeAll() {
        trim(toCost: 0)
    }

    /// Evicts, the least recently used first, until the summed cost is at most `cost` (B8).
    public func trim(toCost cost: Int) {
        let evicted = state.withLock { $0.trim(toCost: max(cost, 0), count: cost > 0 ? .max : 0) }
        withExtendedLifetime(evicted) {}
    }

    /// The most that the costs may sum up to. Lowering it evicts at once (B7).
    public var maximumCost: Int {
        get { state.withLock { $0.maximumCost } }
        set { withExtendedLifetime(state.withLock { $0.setLimits(cost: newValue, count: $0.maximumCount) }) {} }
    }

    /// The most values. Lowering it evicts at once (B7).
    public var maximumCount: Int {
        get { state.withLock { $0.maximumCount } }
        set { withExtendedLifetime(state.withLock { $0.setLimits(cost: $0.maximumCost, count: newValue) }) {} }
    }

    /// The summed cost of what is there.
    public var totalCost: Int { state.withLock { $0.totalCost } }

    /// How many values are there.
    public var count: Int { state.withLock { $0.count } }

    /// The value for a text; setting `nil` removes it.
    public subscript(key: String) -> (Value, cost: Int)? {
        get { state.withLock { $0.entry(for: CacheKey(key)) } }
        set {
            if let newValue {
                store(newValue.0, cost: newValue.cost, for: CacheKey(key))
            } else {
                remove(CacheKey(key))
            }
        }
    }
}
