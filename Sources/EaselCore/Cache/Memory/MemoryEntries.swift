/// What a cache in memory holds: an entry table, the values at its places, and the weak level behind them.
///
/// A value without time, threads or clock: times come as arguments, and values that leave are handed to the caller, to
/// be released outside his lock. Reading and storing are inlinable, since other modules would run them two to three times
/// slower unspecialised; what is rare is not.
@usableFromInline
struct MemoryEntries<Value> {
    @usableFromInline var table: EntryTable
    /// By place; `nil` at free places.
    @usableFromInline var values: ContiguousArray<Value?> = []
    var weak: WeakLevel<Value>
    /// Entries of either level that belong together.
    @usableFromInline var groups = EntryGroups()
    /// Whether the weak level may have to be asked.
    @usableFromInline let usesWeakLevel: Bool

    /// - Parameter hashSeed: any number; tests choose it, so that they go the same way each time.
    init(
        limits: MemoryLimits, policy: EvictionPolicy, hashSeed: UInt64 = .random(in: 0 ... .max),
        weakReference: WeakLevel<Value>.MakeReference? = nil
    ) {
        table = EntryTable(limits: limits, policy: policy, hashSeed: hashSeed)
        weak = WeakLevel(makeReference: weakReference)
        usesWeakLevel = weakReference != nil
    }

    var limits: MemoryLimits { table.limits }
    var statistics: MemoryCacheStatistics { table.statistics }
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
    @inlinable
    mutating func value(for digest: Digest, at now: Duration?, released: inout Released<Value>) -> Value? {
        switch table.use(digest, at: now) {
        case .entry(let place): return values[Int(place)]
        case .expired(let place): expire(place, digest, released: &released)
        case .nothing:
            if usesWeakLevel, let value = weakValue(for: digest, at: now, released: &released) { return value }
        }
        table.countMiss()
        return nil
    }

    /// The same where nothing leaves the cache: a value that is there, or none where none can be. `nil` says nothing.
    @inlinable
    mutating func valueAtOnce(for digest: Digest, at now: Duration?) -> Value?? {
        switch table.use(digest, at: now) {
        case .entry(let place): return .some(values[Int(place)])
        case .nothing where !usesWeakLevel:
            table.countMiss()
            return .some(nil)
        case .expired, .nothing: return nil
        }
    }

    /// Stores a value in place of one that is there, evicting what there is no room for.
    ///
    /// One that is too dear is not stored and evicts nothing (B3), but what it would have replaced is out of date and goes.
    ///
    /// - Parameter released: gets what was replaced and evicted, and a value that was not stored.
    @inlinable
    mutating func store(
        _ value: consuming Value, cost: Int, for digest: Digest, expiry: EntryLifetimes.Expiry? = nil,
        released: inout Released<Value>
    ) {
        let cost = cost < 0 ? 0 : cost
        if !groups.isEmpty { leaveGroup(digest) }
        if usesWeakLevel { forgetWeakly(digest, released: &released) }
        if let replacement = table.beginStoring(digest, cost: cost) {
            insert(value, cost: cost, for: digest, expiry: expiry, replacement, released: &released)
        } else {
            refuse(value, cost: cost, for: digest, expiry: expiry, released: &released)
        }
    }

    /// Evicts in the order of the policy until no more than `target` is left.
    @inlinable
    mutating func evict(downTo target: EntryTarget, released: inout Released<Value>) {
        while let entry = table.evict(downTo: target) {
            guard var value = values[Int(entry.place)].take() else { continue }
            if !usesWeakLevel || !keepWeakly(&value, entry, released: &released), !groups.isEmpty {
                leaveGroup(entry.digest)
            }
            released.add(value)
        }
    }

    @inlinable
    mutating func insert(
        _ value: consuming Value, cost: Int, for digest: Digest, expiry: EntryLifetimes.Expiry?,
        _ replacement: Replacement, released: inout Released<Value>
    ) {
        if let replaced = replacement.place { released.add(values[Int(replaced)].take()) }
        evict(downTo: replacement.room, released: &released)
        let place = Int(table.endStoring(digest, cost: cost, expiry: expiry, replacing: replacement.place))
        if place == values.count {
            values.reserveQuarter()
            values.append(value)
        } else {
            values[place] = value
        }
    }
}

extension MemoryEntries: Sendable where Value: Sendable {}

extension MemoryEntries {
    /// The cost of a value that is there, in the weak level too.
    func cost(for digest: Digest) -> Int? {
        table.place(of: digest).map(table.cost) ?? weak.cost(of: digest)
    }

    /// Whether a value could be read. That is no use, and is not counted.
    ///
    /// - Parameter released: gets what the weak level has given.
    func contains(_ digest: Digest, at now: Duration?, released: inout Released<Value>) -> Bool {
        switch table.find(digest, at: now) {
        case .entry: return true
        case .expired: return false
        case .nothing:
            let value = weak.value(of: digest, at: now)
            released.add(value)
            return value != nil
        }
    }

    /// Removes a value and returns it, from the weak level too.
    mutating func remove(_ digest: Digest) -> Value? {
        groups.leave(digest)
        guard let place = table.place(of: digest) else { return weak.take(digest)?.value }
        table.remove(place)
        return values[Int(place)].take()
    }

    /// Removes everything and returns it in one piece. Limits and statistics stay.
    mutating func removeAll() -> MemoryEntries {
        let old = self
        weak.removeAll()
        groups = EntryGroups()
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
        for place in table.expired(at: now) { expire(place, table.digest(at: place), released: &released) }
    }

    /// Whether the parts agree. For tests: linear in the number of entries.
    var isConsistent: Bool {
        table.isConsistent && values.count == table.slotCount && values.count { $0 != nil } == table.count
            && weak.digests.allSatisfy { table.place(of: $0) == nil } && hasConsistentGroups
    }

    @usableFromInline
    mutating func expire(_ place: Int32, _ digest: Digest, released: inout Released<Value>) {
        groups.leave(digest)
        table.remove(place)
        table.statistics.expirations &+= 1
        released.add(values[Int(place)].take())
    }

    /// Does not store a value that is too dear. Somebody may hold it, though.
    @usableFromInline
    mutating func refuse(
        _ value: consuming Value, cost: Int, for digest: Digest, expiry: EntryLifetimes.Expiry?,
        released: inout Released<Value>
    ) {
        released.add(remove(digest))
        if !limits.isDisabled { _ = addWeakly(&value, for: digest, cost: cost, expiry: expiry, released: &released) }
        released.add(value)
    }

    /// Returns whether somebody holds the value, so that it stays within reach.
    @usableFromInline
    mutating func keepWeakly(_ value: inout Value, _ entry: EvictedEntry, released: inout Released<Value>) -> Bool {
        addWeakly(&value, for: entry.digest, cost: entry.cost, expiry: entry.expiry, released: &released)
    }

    @usableFromInline
    mutating func forgetWeakly(_ digest: Digest, released: inout Released<Value>) {
        released.add(weak.take(digest)?.value)
    }

    @usableFromInline
    mutating func leaveGroup(_ digest: Digest) { groups.leave(digest) }

    private mutating func addWeakly(
        _ value: inout Value, for digest: Digest, cost: Int, expiry: EntryLifetimes.Expiry?,
        released: inout Released<Value>
    ) -> Bool {
        guard let reference = weak.reference(to: &value) else { return false }
        for dead in weak.sweepIfDue(&released) { groups.leave(dead) }
        weak.put(WeakLevel.Entry(reference: reference, cost: cost, expiry: expiry), for: digest)
        return true
    }

    /// Stores a value again that was evicted and that somebody still holds. One that is too dear stays where it is.
    @usableFromInline
    mutating func weakValue(for digest: Digest, at now: Duration?, released: inout Released<Value>) -> Value? {
        guard let (value, entry) = weak.take(digest) else { return nil }
        guard let value, !entry.isExpired(at: now) else {
            groups.leave(digest)
            released.add(value)
            return nil
        }
        if let replacement = table.beginStoring(digest, cost: entry.cost) {
            insert(value, cost: entry.cost, for: digest, expiry: entry.expiry, replacement, released: &released)
            table.statistics.insertions &-= 1
        } else {
            weak.put(entry, for: digest)
        }
        table.statistics.weakHits &+= 1
        return value
    }

    /// An empty cache keeps no arrays and no memory of what was evicted.
    private mutating func giveBackMemory() {
        table.removeAll()
        values = []
        if groups.isEmpty { groups = EntryGroups() }
    }
}
