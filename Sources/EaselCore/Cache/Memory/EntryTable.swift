/// What was kept of an entry that has gone. Its place is free.
@usableFromInline
struct EvictedEntry: Sendable {
    @usableFromInline var place: Int32
    @usableFromInline var digest: Digest
    var cost: Int
    var expiry: EntryLifetimes.Expiry?
}

/// How storing an entry begins.
@usableFromInline
struct Replacement: Sendable {
    /// The place of the entry that is overwritten, if there is one.
    @usableFromInline var place: Int32?
    /// What may be left of the others, so that there is room.
    @usableFromInline let room: EntryTarget
}

/// The entries of a cache in memory without their values: which there are, what they cost, which is to go next.
///
/// Not generic, so that it is compiled once for all values. Who owns it keeps the values in an array of his own, at the
/// places that it tells.
@usableFromInline
struct EntryTable: Sendable {
    /// What a look-up found, and where.
    @usableFromInline
    enum Finding: Sendable {
        case entry(Int32)
        case expired(Int32)
        case nothing
    }

    var limits: MemoryLimits
    /// In one piece with the rest, on memory that the lock has made this processor's own anyway.
    var statistics = MemoryCacheStatistics()
    private(set) var totalCost = 0
    /// Entries without one that is being replaced.
    private var orderedCount = 0
    private var arena: EntryArena
    private var index = DigestIndex()
    private var order: EvictionOrder
    private var lifetimes = EntryLifetimes()

    init(limits: MemoryLimits, policy: EvictionPolicy, hashSeed: UInt64) {
        self.limits = limits
        arena = EntryArena(hashSeed: hashSeed)
        order = EvictionOrder(policy)
    }

    /// How many entries there are, one that is being replaced among them.
    var count: Int { index.count }
    /// How many places there are, free ones too.
    var slotCount: Int { arena.slotCount }
    /// How many entries expire one day.
    var mortalCount: Int { lifetimes.count }

    func cost(at place: Int32) -> Int { arena[place].cost }
    @usableFromInline
    func digest(at place: Int32) -> Digest { arena[place].digest }
    func expired(at now: Duration) -> [Int32] { lifetimes.expired(at: now) }

    /// The place of an entry, expired or not. Looking is not a use.
    ///
    /// Inlined, since whoever changes the table would first copy all of it for such a call.
    @inline(__always)
    func place(of digest: Digest) -> Int32? {
        index.place(tag: arena.tag(of: digest)) { arena[$0].digest == digest }
    }

    /// Looks an entry up without using it.
    func find(_ digest: Digest, at now: Duration?) -> Finding {
        guard let place = place(of: digest) else { return .nothing }
        if let now, lifetimes.isExpired(place, at: now) { return .expired(place) }
        return .entry(place)
    }

    /// Looks an entry up and uses it. A hit is counted; what else is found may be a miss.
    @usableFromInline
    mutating func use(_ digest: Digest, at now: Duration?) -> Finding {
        guard let place = place(of: digest) else { return .nothing }
        if let now {
            if lifetimes.isExpired(place, at: now) { return .expired(place) }
            lifetimes.didUse(place, at: now)
        }
        order.didUse(place, in: &arena)
        statistics.hits &+= 1
        return .entry(place)
    }

    @usableFromInline
    mutating func countMiss() { statistics.misses &+= 1 }

    /// Takes the entry that is to be overwritten, if there is one, out of the order and the sum, so that making room
    /// cannot evict it. `nil`, and nothing is done, where an entry of this cost may not be stored at all.
    @usableFromInline
    mutating func beginStoring(_ digest: Digest, cost: Int) -> Replacement? {
        guard limits.admits(cost: cost) else { return nil }
        // Not the sum of what is there and what comes: that may be more than fits an integer.
        var replacement = Replacement(room: EntryTarget(cost: limits.cost - cost, count: limits.target.count - 1))
        guard let place = place(of: digest) else { return replacement }
        order.remove(place, in: &arena)
        orderedCount -= 1
        totalCost -= arena[place].cost
        replacement.place = place
        return replacement
    }

    /// Adds an entry, or puts that at `replaced` back at its new cost. There must be room for it.
    @usableFromInline
    mutating func endStoring(
        _ digest: Digest, cost: Int, expiry: EntryLifetimes.Expiry?, replacing replaced: Int32?
    ) -> Int32 {
        let place = replaced ?? arena.add(digest, cost: cost)
        if replaced == nil {
            index.insert(place, tag: arena.tag(of: digest))
            order.insert(place, in: &arena)
        } else {
            arena[place].cost = cost
            order.reinsert(place, in: &arena)
        }
        lifetimes.set(expiry, at: place, slotCount: slotCount)
        orderedCount += 1
        totalCost += cost
        statistics.insertions &+= 1
        return place
    }

    /// Removes an entry.
    mutating func remove(_ place: Int32) {
        order.remove(place, in: &arena)
        forget(place)
    }

    /// Removes the entry that is to go next while there is more than `target`, or returns `nil`.
    @usableFromInline
    mutating func evict(downTo target: EntryTarget) -> EvictedEntry? {
        guard totalCost > target.cost || orderedCount > target.count,
            let place = order.evict(towards: target, limits: limits, in: &arena)
        else { return nil }
        let slot = arena[place]
        let evicted = EvictedEntry(place: place, digest: slot.digest, cost: slot.cost, expiry: lifetimes[place])
        forget(place)
        statistics.evictions &+= 1
        return evicted
    }

    /// Removes all entries, with their arrays and with what is known of those that were evicted.
    mutating func removeAll() {
        let counted = statistics
        self = EntryTable(limits: limits, policy: order.policy, hashSeed: arena.hashSeed)
        statistics = counted
    }

    private mutating func forget(_ place: Int32) {
        orderedCount -= 1
        totalCost -= arena[place].cost
        index.remove(place, tag: arena.tag(of: arena[place].digest))
        lifetimes.remove(place)
        arena.remove(place)
    }

    /// Whether order, index, sums and limits agree. For tests: linear in the number of entries.
    var isConsistent: Bool {
        guard let places = order.places(in: arena) else { return false }
        let cost = places.reduce(0) { $0 + arena[$1].cost }
        return places.count == index.count && places.count == orderedCount && Set(places).count == places.count
            && places.allSatisfy { place(of: arena[$0].digest) == $0 && arena[$0].cost >= 0 }
            && cost == totalCost && cost <= limits.cost && places.count <= limits.count
            && arena.slotCount == places.count + arena.freeCount && lifetimes.isConsistent
            && lifetimes.count == places.count(where: { lifetimes[$0] != nil })
    }
}
