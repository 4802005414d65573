/// What a cache in memory holds: an entry table, the values at its places, and the weak level behind them.
///
/// A value without time, threads or clock: times come as arguments, and values that leave are handed to the caller, to
/// be released outside his lock.
struct MemoryEntries<Value> {
    private(set) var statistics = MemoryCacheStatistics()
    private var table: EntryTable
    /// By place; `nil` at free places.
    private var values: ContiguousArray<Value?> = []
    private var weak: WeakLevel<Value>

    init(
        limits: MemoryLimits, policy: EvictionPolicy,
        weakReference: (@Sendable (inout Value) -> (@Sendable () -> Value?)?)? = nil
    ) {
        table = EntryTable(limits: limits, policy: policy)
        weak = WeakLevel(reference: weakReference)
    }

    var limits: MemoryLimits { table.limits }
    var totalCost: Int { table.totalCost }
    var count: Int { table.count }
    /// How many entries expire one day.
    var mortalCount: Int { table.mortalCount }
    /// How many values were evicted while somebody held them; some may be gone.
    var weakCount: Int { weak.count }

    /// Reads a value, which counts as a use.
    ///
    /// - Parameters:
    ///   - now: `nil` where nothing ever expires.
    ///   - released: gets a value that turned out to have expired, and what a weak hit evicts.
    mutating func value(for digest: Digest, at now: Duration?, released: inout Released<Value>) -> Value? {
        if let place = table.place(of: digest) {
            guard let now, table.isExpired(place, at: now) else {
                table.didUse(place, at: now)
                statistics.hits &+= 1
                return values[Int(place)]
            }
            expire(place, released: &released)
        } else if weak.count > 0, let value = weakValue(for: digest, at: now, released: &released) {
            statistics.weakHits &+= 1
            return value
        }
        statistics.misses &+= 1
        return nil
    }

    /// The cost of a value that is there, in the weak level too.
    func cost(for digest: Digest) -> Int? {
        table.place(of: digest).map(table.cost) ?? weak.cost(of: digest)
    }

    /// Whether a value could be read. That is no use, and is not counted.
    func contains(_ digest: Digest, at now: Duration?, released: inout Released<Value>) -> Bool {
        guard let place = table.place(of: digest) else {
            let value = weak.value(of: digest, at: now)
            released.add(value)
            return value != nil
        }
        return now.map { !table.isExpired(place, at: $0) } ?? true
    }

    /// Stores a value in place of one that is there, evicting what there is no room for.
    ///
    /// One that is too dear is not stored and evicts nothing (B3), but what it would have replaced is out of date and goes.
    ///
    /// - Parameter released: gets what was replaced and evicted, and a value that was not stored.
    mutating func store(
        _ value: consuming Value, cost: Int, for digest: Digest, expiry: EntryLifetimes.Expiry? = nil,
        released: inout Released<Value>
    ) {
        let cost = max(0, cost)
        released.add(weak.take(digest)?.value)
        if limits.admits(cost: cost) {
            insert(value, cost: cost, for: digest, expiry: expiry, released: &released)
            statistics.insertions &+= 1
            return
        }
        released.add(remove(digest))
        var value = consume value
        if !limits.isDisabled { weak.add(&value, for: digest, cost: cost, expiry: expiry, released: &released) }
        released.add(value)
    }

    /// Removes a value and returns it, from the weak level too.
    mutating func remove(_ digest: Digest) -> Value? {
        guard let place = table.place(of: digest) else { return weak.take(digest)?.value }
        table.remove(place)
        return values[Int(place)].take()
    }

    /// Removes everything and returns it in one piece. Limits and statistics stay.
    mutating func removeAll() -> MemoryEntries {
        let old = self
        weak.removeAll()
        giveBackMemory()
        return old
    }

    /// Evicts in the order of the policy until no more than `target` is left (B8).
    mutating func trim(to target: EntryTarget, released: inout Released<Value>) {
        evict(downTo: target, released: &released)
        if table.count == 0 { giveBackMemory() }
    }

    /// Changes the limits and evicts what is over them at once (B7).
    mutating func setLimits(_ limits: MemoryLimits, released: inout Released<Value>) {
        table.limits = limits
        trim(to: limits.target, released: &released)
    }

    /// Removes what has expired (B11).
    mutating func removeExpired(at now: Duration, released: inout Released<Value>) {
        for place in table.expired(at: now) { expire(place, released: &released) }
    }

    /// Whether the parts agree. For tests: linear in the number of entries.
    var isConsistent: Bool {
        table.isConsistent && values.count == table.slotCount && values.count { $0 != nil } == table.count
            && weak.digests.allSatisfy { table.place(of: $0) == nil }
    }

    private mutating func insert(
        _ value: consuming Value, cost: Int, for digest: Digest, expiry: EntryLifetimes.Expiry?,
        released: inout Released<Value>
    ) {
        // Room first: the sum of two costs may be more than fits an integer.
        let room = EntryTarget(cost: limits.cost - cost, count: limits.target.count - 1)
        guard let place = table.place(of: digest) else {
            evict(downTo: room, released: &released)
            let place = Int(table.add(digest, cost: cost, expiry: expiry))
            if place == values.count {
                values.reserveQuarter()
                values.append(value)
            } else {
                values[place] = value
            }
            return
        }
        released.add(values[Int(place)].take())
        table.beginReplacing(place)
        evict(downTo: room, released: &released)
        table.endReplacing(place, cost: cost, expiry: expiry)
        values[Int(place)] = value
    }

    private mutating func evict(downTo target: EntryTarget, released: inout Released<Value>) {
        while let entry = table.evict(downTo: target) {
            statistics.evictions &+= 1
            guard var value = values[Int(entry.place)].take() else { continue }
            weak.add(&value, for: entry.digest, cost: entry.cost, expiry: entry.expiry, released: &released)
            released.add(value)
        }
    }

    private mutating func expire(_ place: Int32, released: inout Released<Value>) {
        table.remove(place)
        statistics.expirations &+= 1
        released.add(values[Int(place)].take())
    }

    /// Stores a value again that was evicted and that somebody still holds. One that is too dear stays where it is.
    private mutating func weakValue(
        for digest: Digest, at now: Duration?, released: inout Released<Value>
    ) -> Value? {
        guard let (value, entry) = weak.take(digest) else { return nil }
        guard !entry.isExpired(at: now) else {
            released.add(value)
            return nil
        }
        if limits.admits(cost: entry.cost) {
            insert(value, cost: entry.cost, for: digest, expiry: entry.expiry, released: &released)
        } else {
            weak.put(entry, for: digest)
        }
        return value
    }

    /// An empty cache keeps no arrays and no memory of what was evicted.
    private mutating func giveBackMemory() {
        table = EntryTable(limits: limits, policy: table.policy)
        values = []
    }
}

extension MemoryEntries: Sendable where Value: Sendable {}
