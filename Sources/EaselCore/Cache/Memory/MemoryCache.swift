import Synchronization

/// Values in memory, bounded by the sum of their costs and by their number.
///
/// The policy decides which value a full cache evicts first. Every method may be called from any thread, holds one lock
/// for a short time, and takes constant time on average. Removed values are released outside the lock, so that their
/// deinitializers may call the cache.
public final class MemoryCache<Value: Sendable>: Sendable {
    struct State: Sendable {
        var entries: MemoryEntries<Value>
        /// Removes expired values while there are entries that expire.
        var cleaner: Task<Void, Never>?
    }

    let state: Mutex<State>
    /// Whether an entry that expires was ever stored. Until then, reads do not get the time.
    private let mayExpire = Atomic(false)
    private let configuration: Configuration

    /// Creates an empty cache with the default policy, whose values do not expire.
    ///
    /// - Parameters:
    ///   - maximumCost: The largest sum of costs, in the caller's unit. 0 disables the cache.
    ///   - maximumCount: 0 disables the cache.
    public convenience init(maximumCost: Int, maximumCount: Int = .max) {
        self.init(Configuration(maximumCost: maximumCost, maximumCount: maximumCount))
    }

    /// Creates an empty cache.
    package convenience init(_ configuration: Configuration) {
        self.init(configuration, makeReference: nil)
    }

    private init(_ configuration: Configuration, makeReference: MemoryEntries<Value>.MakeReference?) {
        self.configuration = configuration
        state = Mutex(State(entries: MemoryEntries(configuration, makeReference: makeReference)))
    }

    deinit {
        state.withLock { $0.cleaner }?.cancel()
    }

    /// Returns the value for `key`, which counts as a use.
    public func value(for key: CacheKey) -> Value? { value(for: key.digest) }

    /// Returns whether there is a value for `key`. This is not a use and is not counted in the statistics.
    public func contains(_ key: CacheKey) -> Bool {
        let now = now
        // The value is released outside the lock: this may be its last reference by then.
        return state.withLock { $0.entries.peek(key.digest, at: now) } != nil
    }

    /// Stores a value, and replaces an existing one.
    ///
    /// A value that costs more than the whole cache, or than a single value may, is not stored and evicts nothing. The
    /// value that it would have replaced is removed.
    ///
    /// - Parameters:
    ///   - cost: A negative cost counts as 0.
    ///   - lifetime: How long the value can be read. `nil` means the lifetime of the cache: by default forever. With
    ///     zero or less it is not stored, and the value that it would have replaced is removed.
    public func store(_ value: Value, cost: Int, for key: CacheKey, lifetime: Duration? = nil) {
        store(value, cost: cost, for: key.digest, lifetime: lifetime ?? configuration.lifetime)
    }

    /// Removes a value and returns it. Includes an evicted value that is still referenced elsewhere.
    @discardableResult
    public func remove(_ key: CacheKey) -> Value? {
        withEntries { $0.remove(key.digest) }
    }

    /// Removes all values, including evicted ones that are still referenced elsewhere.
    public func removeAll() {
        withEntries { $0.removeAll() }
    }

    /// Removes the values for which `isRemoved` returns `true`.
    package func removeAll(where isRemoved: (Value) -> Bool) {
        withEntries { $0.removeAll(where: isRemoved) }
    }

    private func value(for digest: Digest) -> Value? {
        let now = now
        return withEntries { $0.value(for: digest, at: now) }
    }

    private func store(_ value: Value, cost: Int, for digest: Digest, group: Digest? = nil, lifetime: Duration?) {
        if let lifetime, lifetime <= .zero { return withEntries { _ = $0.remove(digest) } }
        let expiry = lifetime.map(makeExpiry)
        withEntries { $0.store(value, cost: cost, for: digest, group: group, expiry: expiry) }
        if expiry != nil { startCleaner() }
    }

    /// Calls `body` under the lock, and releases the removed values outside it.
    @inline(__always)
    private func withEntries<Result>(
        _ body: (_ entries: inout MemoryEntries<Value>) -> sending Result
    ) -> sending Result {
        var released: [Value] = []
        return state.withLock { state in
            defer { if !state.entries.released.isEmpty { swap(&released, &state.entries.released) } }
            return body(&state.entries)
        }
    }
}

// MARK: - Evicted values and groups

extension MemoryCache where Value: WeaklyCacheable {
    /// Creates an empty cache that finds evicted values while they are referenced elsewhere.
    ///
    /// Such a value counts towards no limit until it is read, which stores it again at its cost. `remove` and
    /// `removeAll` remove it; trimming does not.
    convenience init(keepingHeldValues configuration: Configuration) {
        self.init(configuration) { $0.weakReference() }
    }
}

/// Groups of values that can replace one another, such as the sizes of one image.
///
/// A value is in one group at most, and leaves it with the cache; storing it without a group removes it from its group.
extension MemoryCache {
    func store(_ value: Value, cost: Int, for key: CacheKey, group: CacheKey) {
        store(value, cost: cost, for: key.digest, group: group.digest, lifetime: configuration.lifetime)
    }

    /// Returns the values of a group, with evicted ones that are still referenced elsewhere, highest cost first. This
    /// is not a use.
    func values(inGroup group: CacheKey) -> [Value] {
        members(of: group).map(\.value)
    }

    /// Returns the value of a group at the index that `choose` returns, highest cost first. This is a use of that
    /// value.
    func value(inGroup group: CacheKey, choosing choose: ([Value]) -> Int?) -> Value? {
        let members = members(of: group)
        guard !members.isEmpty, let index = choose(members.map(\.value)), members.indices.contains(index) else {
            return nil
        }
        // It may have been evicted in the meantime.
        return value(for: members[index].digest) ?? members[index].value
    }

    private func members(of group: CacheKey) -> [(digest: Digest, value: Value)] {
        let now = now
        return state.withLock { $0.entries.members(of: group.digest, at: now) }
    }
}

// MARK: - Lifetimes

extension MemoryCache {
    func removeExpired() {
        let now = configuration.clock.now()
        withEntries { $0.removeExpired(at: now) }
    }

    private func makeExpiry(after lifetime: Duration) -> Expiry {
        // A thousand years, so that sums of times do not overflow.
        let bounded = min(lifetime, .seconds(365_000 * 86_400))
        mayExpire.store(true, ordering: .relaxed)
        return Expiry(deadline: configuration.clock.now() + bounded)
    }

    /// The time; `nil` if nothing can have expired.
    private var now: Duration? {
        mayExpire.load(ordering: .relaxed) ? configuration.clock.now() : nil
    }

    /// Starts a task that removes expired values while there are entries that expire. It does not keep the cache alive.
    private func startCleaner() {
        let (clock, interval) = (configuration.clock, configuration.cleaningInterval)
        state.withLock { state in
            guard state.cleaner == nil else { return }
            state.cleaner = Task.detached(priority: .background) { [weak self] in
                while (try? await clock.sleep(interval)) != nil, self?.clean() == true {}
            }
        }
    }

    /// Removes expired values. Returns whether there are more entries that expire, else removes the cleaner under the
    /// same lock, so that the next such entry starts another.
    private func clean() -> Bool {
        removeExpired()
        return state.withLock { state in
            if state.entries.table.expiringCount > 0 { return true }
            state.cleaner = nil
            return false
        }
    }
}

// MARK: - Limits

extension MemoryCache {
    /// The largest sum of costs. Lowering it evicts at once.
    public var maximumCost: Int {
        get { limits.maximumCost }
        set { configure { $0.maximumCost = newValue } }
    }

    /// The largest number of values. Lowering it evicts at once.
    public var maximumCount: Int {
        get { limits.maximumCount }
        set { configure { $0.maximumCount = newValue } }
    }

    /// The largest share of `maximumCost` for a single value, from 0 to 1. Existing values stay.
    package var maximumEntryShare: Double {
        get { limits.entryShare }
        set { configure { $0.maximumEntryShare = newValue } }
    }

    /// The sum of the costs of all values.
    public var totalCost: Int { state.withLock { $0.entries.table.totalCost } }

    /// The number of values.
    public var count: Int { state.withLock { $0.entries.table.count } }

    /// The statistics since the cache was created.
    public var statistics: MemoryCacheStatistics { state.withLock { $0.entries.table.statistics } }

    /// Evicts in the order of the policy until the sum of costs is at most `cost`. 0 evicts everything, even values
    /// without cost.
    public func trim(toCost cost: Int) {
        withEntries { $0.trim(toCost: max(cost, 0), count: cost > 0 ? .max : 0) }
    }

    /// Evicts in the order of the policy until at most `count` values are left.
    public func trim(toCount count: Int) {
        withEntries { $0.trim(count: max(count, 0)) }
    }

    /// Evicts values until the share that this pressure allows is left, by cost and by number.
    func trim(for pressure: MemoryPressure) {
        withEntries { entries in
            let cost = Double(entries.table.totalCost) * pressure.keptShare
            let count = Double(entries.table.count) * pressure.keptShare
            entries.trim(toCost: Int(cost), count: Int(count))
        }
    }

    private var limits: Configuration { state.withLock { $0.entries.table.configuration } }

    private func configure(_ change: (inout Configuration) -> Void) {
        withEntries { $0.configure(change) }
    }
}
