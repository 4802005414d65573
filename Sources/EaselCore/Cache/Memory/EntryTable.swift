/// What was kept of an entry that has gone. Its place is free.
struct EvictedEntry {
    var place: Int32
    var digest: Digest
    var cost: Int
    var expiry: EntryLifetimes.Expiry?
}

/// The entries of a cache in memory without their values: which there are, what they cost, which is to go next.
///
/// Not generic, so that it is compiled once for all values. Who owns it keeps the values in an array of his own, at the
/// places that it tells.
struct EntryTable {
    var limits: MemoryLimits
    private(set) var totalCost = 0
    /// Entries without one that is being replaced.
    private var orderedCount = 0
    private var arena = EntryArena()
    private var index = DigestIndex()
    private var order: EvictionOrder
    private var lifetimes = EntryLifetimes()

    init(limits: MemoryLimits, policy: EvictionPolicy) {
        self.limits = limits
        order = EvictionOrder(policy)
    }

    var policy: EvictionPolicy { order.policy }
    /// How many entries there are, one that is being replaced among them.
    var count: Int { index.count }
    /// How many places there are, free ones too.
    var slotCount: Int { arena.slotCount }
    /// How many entries expire one day.
    var mortalCount: Int { lifetimes.count }

    func cost(at place: Int32) -> Int { arena[place].cost }
    func isExpired(_ place: Int32, at now: Duration) -> Bool { lifetimes.isExpired(place, at: now) }
    func expired(at now: Duration) -> [Int32] { lifetimes.expired(at: now) }

    /// The place of an entry. Looking is not a use.
    func place(of digest: Digest) -> Int32? {
        index.place(tag: arena.tag(of: digest)) { arena[$0].digest == digest }
    }

    /// The entry was read.
    mutating func didUse(_ place: Int32, at now: Duration?) {
        order.didUse(place, in: &arena)
        if let now, lifetimes.count > 0 { lifetimes.didUse(place, at: now) }
    }

    /// Adds an entry that is not there. There must be room for it.
    mutating func add(_ digest: Digest, cost: Int, expiry: EntryLifetimes.Expiry?) -> Int32 {
        let place = arena.add(digest, cost: cost)
        index.insert(place, tag: arena.tag(of: digest))
        order.insert(place, in: &arena)
        orderedCount += 1
        lifetimes.set(expiry, at: place, slotCount: slotCount)
        totalCost += cost
        return place
    }

    /// Takes an entry that is to be overwritten out of the order and the sum, so that making room cannot evict it.
    mutating func beginReplacing(_ place: Int32) {
        order.remove(place, in: &arena)
        orderedCount -= 1
        totalCost -= arena[place].cost
    }

    /// Puts it back at its new cost. There must be room for it.
    mutating func endReplacing(_ place: Int32, cost: Int, expiry: EntryLifetimes.Expiry?) {
        arena[place].cost = cost
        order.reinsert(place, in: &arena)
        orderedCount += 1
        lifetimes.set(expiry, at: place, slotCount: slotCount)
        totalCost += cost
    }

    /// Removes an entry.
    mutating func remove(_ place: Int32) {
        order.remove(place, in: &arena)
        forget(place)
    }

    /// Removes the entry that is to go next while there is more than `target`, or returns `nil`.
    mutating func evict(downTo target: EntryTarget) -> EvictedEntry? {
        guard totalCost > target.cost || orderedCount > target.count,
            let place = order.evict(towards: target, limits: limits, in: &arena)
        else { return nil }
        let slot = arena[place]
        let evicted = EvictedEntry(place: place, digest: slot.digest, cost: slot.cost, expiry: lifetimes[place])
        forget(place)
        return evicted
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
