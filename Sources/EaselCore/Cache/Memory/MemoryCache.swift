import Synchronization

/// Values in memory, bounded by their summed cost and by their number.
///
/// The policy decides which value a full cache evicts first; by default, values that are used again outlive those that are
/// seen once. Every method may be called from any thread, holds one lock for a short time, and takes constant time on
/// average. Values that leave are released outside the lock, so that their destruction may call the cache.
public final class MemoryCache<Value: Sendable>: Sendable {
    /// Which values a full cache evicts first.
    public typealias Policy = EvictionPolicy

    struct State: Sendable {
        var entries: MemoryEntries<Value>
        /// Removes expired values while there are entries that expire.
        var cleaner: Task<Void, Never>?
    }

    let state: Mutex<State>
    /// Whether an entry that expires was ever stored. Until then, reads do not get the time.
    private let mayExpire = Atomic(false)
    private let configuration: Configuration

    /// An empty cache of the default policy, whose values do not expire.
    ///
    /// - Parameters:
    ///   - maximumCost: in the unit of the costs that are given, bytes for images. 0 disables the cache.
    ///   - maximumCount: 0 disables the cache.
    public convenience init(maximumCost: Int, maximumCount: Int = .max) {
        self.init(Configuration(maximumCost: maximumCost, maximumCount: maximumCount))
    }

    /// An empty cache.
    public convenience init(_ configuration: Configuration) {
        self.init(configuration, makeReference: nil)
    }

    private init(_ configuration: Configuration, makeReference: MemoryEntries<Value>.MakeReference?) {
        self.configuration = configuration
        let entries = MemoryEntries(
            limits: configuration.limits, policy: configuration.policy, makeReference: makeReference)
        state = Mutex(State(entries: entries))
    }

    deinit {
        state.withLock { $0.cleaner }?.cancel()
    }

    /// The value for `key`, which counts as a use.
    public func value(for key: CacheKey) -> Value? {
        value(for: key.digest)
    }

    /// Whether there is a value for `key`. This is not a use and is not counted in the statistics.
    public func contains(_ key: CacheKey) -> Bool {
        let now = now
        // The value is released outside the lock: its last holder may end meanwhile.
        return state.withLock { $0.entries.peek(key.digest, at: now) } != nil
    }

    /// Stores a value, in place of one that is there, for the lifetime that the cache was configured with.
    ///
    /// A value that costs more than the whole cache, or than a single value may, is not stored and evicts nothing. The value
    /// that it would have replaced is removed.
    ///
    /// - Parameter cost: counted as 0 where it is negative.
    public func store(_ value: Value, cost: Int, for key: CacheKey) {
        store(value, cost: cost, for: key.digest, lifetime: configuration.lifetime)
    }

    /// Stores a value that can be read for `lifetime`, whatever the cache was configured with; `nil` is for ever.
    ///
    /// With a lifetime of zero or less it is not stored, and the value that it would have replaced is removed.
    public func store(_ value: Value, cost: Int, for key: CacheKey, lifetime: Duration?) {
        store(value, cost: cost, for: key.digest, lifetime: lifetime)
    }

    /// Removes a value and returns it, also one that was evicted and is still held elsewhere.
    @discardableResult
    public func remove(_ key: CacheKey) -> Value? {
        remove(key.digest)
    }

    /// Removes everything, also the evicted values that are still held elsewhere.
    public func removeAll() {
        let removed = state.withLock { $0.entries.removeAll() }
        withExtendedLifetime(removed) {}
    }

    /// The value for a text and its cost, which counts as a use; setting `nil` removes it.
    public subscript(key: String) -> (Value, cost: Int)? {
        get {
            let (digest, now) = (Digest(of: key), now)
            return withEntries { entries, released in
                guard let value = entries.value(for: digest, at: now, released: &released) else { return nil }
                return (value, cost: entries.cost(of: digest) ?? 0)
            }
        }
        set {
            if let newValue {
                store(newValue.0, cost: newValue.cost, for: Digest(of: key), lifetime: configuration.lifetime)
            } else {
                remove(Digest(of: key))
            }
        }
    }

    private func value(for digest: Digest) -> Value? {
        let now = now
        var released: [Value] = []
        return state.withLock { $0.entries.value(for: digest, at: now, released: &released) }
    }

    @discardableResult
    private func remove(_ digest: Digest) -> Value? {
        state.withLock { $0.entries.remove(digest) }
    }

    /// Calls `body` under the lock, and releases outside it the values that `body` adds to the array.
    private func withEntries<Result: Sendable>(
        _ body: (_ entries: inout MemoryEntries<Value>, _ released: inout [Value]) -> Result
    ) -> Result {
        var released: [Value] = []
        return state.withLock { body(&$0.entries, &released) }
    }
}

extension MemoryCache where Value: WeaklyCacheable {
    /// An empty cache that finds evicted values again while something else holds them.
    ///
    /// Such a value counts towards no limit until it is read, which stores it again at its cost. `remove` and `removeAll`
    /// remove it; trimming does not.
    public convenience init(keepingHeldValues configuration: Configuration) {
        self.init(configuration) { $0.weakReference() }
    }
}

// MARK: - Groups

/// Values that can stand for one another, as the sizes of one image can.
///
/// A value is in one group at most, and leaves it with the cache; storing it again without a group takes it out.
extension MemoryCache {
    /// Stores a value as one of a group, for the lifetime that the cache was configured with.
    public func store(_ value: Value, cost: Int, for key: CacheKey, group: CacheKey) {
        store(value, cost: cost, for: key.digest, group: group.digest, lifetime: configuration.lifetime)
    }

    /// The values of a group, with those that were evicted and are still held elsewhere, the highest cost first.
    ///
    /// This is not a use and is not counted in the statistics. The time it takes grows with their number.
    public func values(inGroup group: CacheKey) -> [Value] {
        members(of: group).map(\.value)
    }

    /// The value of a group that `choose` picks, the highest cost first: the index of one of them, or `nil`. This is a use
    /// of that value.
    public func value(inGroup group: CacheKey, choosing choose: ([Value]) -> Int?) -> Value? {
        let members = members(of: group)
        guard !members.isEmpty, let index = choose(members.map(\.value)), members.indices.contains(index) else {
            return nil
        }
        // It may have left the cache meanwhile.
        return value(for: members[index].digest) ?? members[index].value
    }

    private func members(of group: CacheKey) -> [(digest: Digest, value: Value)] {
        let now = now
        return state.withLock { $0.entries.members(of: group.digest, at: now) }
    }
}

// MARK: - Lifetimes

extension MemoryCache {
    private func store(_ value: Value, cost: Int, for digest: Digest, group: Digest? = nil, lifetime: Duration?) {
        if let lifetime, lifetime <= .zero {
            remove(digest)
            return
        }
        let expiry = lifetime.map(expiry)
        var released: [Value] = []
        state.withLock { state in
            state.entries.store(value, cost: cost, for: digest, group: group, expiry: expiry, released: &released)
            if state.entries.table.expiringCount > 0, state.cleaner == nil { state.cleaner = makeCleaner() }
        }
    }

    /// Removes the values whose lifetime is over, which the cache also does by itself from time to time.
    public func removeExpired() {
        _ = removeExpired(isCleaner: false)
    }

    private func expiry(after lifetime: Duration) -> Expiry {
        // A thousand years, so that sums of times do not overflow.
        let bounded = min(lifetime, .days(365_000))
        mayExpire.store(true, ordering: .relaxed)
        return Expiry(
            deadline: configuration.clock.now() + bounded,
            extensionOnUse: configuration.extendsLifetimeOnUse ? bounded : nil)
    }

    /// The time; `nil` where nothing can have expired.
    private var now: Duration? {
        mayExpire.load(ordering: .relaxed) ? configuration.clock.now() : nil
    }

    /// A task that removes expired values while there are entries that expire. It does not keep the cache alive.
    private func makeCleaner() -> Task<Void, Never> {
        let (clock, interval) = (configuration.clock, configuration.cleaningInterval)
        return Task.detached(priority: .background) { [weak self] in
            while (try? await clock.sleep(interval)) != nil, self?.removeExpired(isCleaner: true) == true {}
        }
    }

    /// Returns whether there are more entries that expire. Where there are none, the cleaner ends under the same lock, so
    /// that an entry that is stored next starts another.
    private func removeExpired(isCleaner: Bool) -> Bool {
        let now = configuration.clock.now()
        var released: [Value] = []
        return state.withLock { state in
            state.entries.removeExpired(at: now, released: &released)
            let hasMore = state.entries.table.expiringCount > 0
            if isCleaner, !hasMore { state.cleaner = nil }
            return hasMore
        }
    }
}

// MARK: - Limits

extension MemoryCache {
    /// The largest sum of costs. Lowering it evicts at once.
    public var maximumCost: Int {
        get { limits.cost }
        set { setLimits { MemoryLimits(cost: newValue, count: $0.count, entryShare: $0.entryShare) } }
    }

    /// The largest number of values. Lowering it evicts at once.
    public var maximumCount: Int {
        get { limits.count }
        set { setLimits { MemoryLimits(cost: $0.cost, count: newValue, entryShare: $0.entryShare) } }
    }

    /// The largest share of `maximumCost` for a single value, from 0 to 1. Values that are there already stay.
    public var maximumEntryShare: Double {
        get { limits.entryShare }
        set { setLimits { MemoryLimits(cost: $0.cost, count: $0.count, entryShare: newValue) } }
    }

    /// The summed cost of what is there.
    public var totalCost: Int { state.withLock { $0.entries.table.totalCost } }

    /// The number of values that are there.
    public var count: Int { state.withLock { $0.entries.table.count } }

    /// What the cache has done so far.
    public var statistics: MemoryCacheStatistics { state.withLock { $0.entries.table.statistics } }

    /// Evicts in the order of the policy until the summed cost is at most `cost`. 0 evicts everything, also what costs nothing.
    public func trim(toCost cost: Int) {
        withEntries { $0.trim(toCost: max(cost, 0), count: cost > 0 ? .max : 0, released: &$1) }
    }

    /// Evicts in the order of the policy until at most `count` values are left.
    public func trim(toCount count: Int) {
        withEntries { $0.trim(count: max(count, 0), released: &$1) }
    }

    /// Keeps the share of the values that this pressure allows, by cost and by number.
    public func trim(for pressure: MemoryPressure) {
        withEntries { entries, released in
            let cost = Double(entries.table.totalCost) * pressure.keptShare
            let count = Double(entries.table.count) * pressure.keptShare
            entries.trim(toCost: Int(cost), count: Int(count), released: &released)
        }
    }

    private var limits: MemoryLimits { state.withLock { $0.entries.table.limits } }

    private func setLimits(_ change: (MemoryLimits) -> MemoryLimits) {
        withEntries { $0.setLimits(change($0.table.limits), released: &$1) }
    }
}
