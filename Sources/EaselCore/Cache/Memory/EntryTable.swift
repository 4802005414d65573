/// When an entry expires, as a time since some fixed moment.
struct Expiry: Sendable {
    var deadline: Duration
    /// The lifetime that begins anew with each use; `nil` where uses do not extend it.
    var extensionOnUse: Duration?

    /// - Parameter now: `nil` where nothing expires.
    func isReached(at now: Duration?) -> Bool { now.map { deadline <= $0 } ?? false }
}

/// The entries of a memory cache without their values: which there are, what they cost, and which one to evict next.
///
/// The owner keeps the values in an array of its own, by the places that the table gives. The table is not generic, so that
/// it is compiled once for all types of values.
struct EntryTable: Sendable {
    /// An entry that was evicted. Its place is free.
    struct Evicted {
        var place: Int
        var digest: Digest
        var cost: Int
        var expiry: Expiry?
    }

    var limits: MemoryLimits
    var statistics = MemoryCacheStatistics()
    private let policy: EvictionPolicy
    private var slots: [EntrySlot] = []
    private var freePlaces: [Int] = []
    private var places: [Digest: Int] = [:]
    private var expiries: [Int: Expiry] = [:]
    private var small = EntryQueue()
    private var main = EntryQueue()
    private var ghosts = GhostQueue()

    init(limits: MemoryLimits, policy: EvictionPolicy) {
        self.limits = limits
        self.policy = policy
    }

    var totalCost: Int { small.cost + main.cost }
    var count: Int { small.count + main.count }
    /// The number of entries that expire.
    var expiringCount: Int { expiries.count }

    func digest(at place: Int) -> Digest { slots[place].digest }
    func cost(at place: Int) -> Int { slots[place].cost }

    /// The place of an entry, expired or not.
    func place(of digest: Digest) -> Int? { places[digest] }

    func isExpired(_ place: Int, at now: Duration?) -> Bool {
        now != nil && expiries[place]?.isReached(at: now) == true
    }

    func expiredPlaces(at now: Duration) -> [Int] {
        expiries.filter { $0.value.isReached(at: now) }.map(\.key)
    }

    /// Looks up an entry that has not expired, which counts as a hit.
    mutating func use(_ digest: Digest, at now: Duration?) -> Int? {
        guard let place = place(of: digest), !isExpired(place, at: now) else { return nil }
        statistics.hits &+= 1
        if let now, let lifetime = expiries[place]?.extensionOnUse { expiries[place]?.deadline = now + lifetime }
        switch policy {
        case .s3FIFO: slots[place].isUsed = true
        case .leastRecentlyUsed: moveToMain(place)
        }
        return place
    }

    /// Begins to store: takes the slot of `digest` out of its queue, so that making room does not evict it, or adds one.
    mutating func claim(_ digest: Digest) -> Int {
        if let place = places[digest] {
            unlink(place)
            slots[place].isUsed = true
            return place
        }
        let isInMain = policy == .leastRecentlyUsed || ghosts.remove(digest)
        let slot = EntrySlot(digest: digest, cost: 0, isInMain: isInMain)
        let place = freePlaces.popLast() ?? slots.count
        if place == slots.count { slots.append(slot) } else { slots[place] = slot }
        places[digest] = place
        return place
    }

    /// Ends storing: puts a claimed slot at the front of its queue. There must be room for it.
    mutating func insert(_ place: Int, cost: Int, expiry: Expiry?) {
        slots[place].cost = cost
        link(place)
        expiries[place] = expiry
        statistics.insertions &+= 1
    }

    /// Removes an entry.
    mutating func remove(_ place: Int) {
        unlink(place)
        places[slots[place].digest] = nil
        expiries[place] = nil
        freePlaces.append(place)
    }

    /// Removes all entries and ghosts, and releases their memory.
    mutating func removeAll() {
        let statistics = statistics
        self = EntryTable(limits: limits, policy: policy)
        self.statistics = statistics
    }

    private mutating func moveToMain(_ place: Int) {
        unlink(place)
        slots[place].isInMain = true
        link(place)
    }

    private mutating func link(_ place: Int) {
        if slots[place].isInMain { main.append(place, in: &slots) } else { small.append(place, in: &slots) }
    }

    private mutating func unlink(_ place: Int) {
        if slots[place].isInMain { main.remove(place, in: &slots) } else { small.remove(place, in: &slots) }
    }
}

/// Eviction by S3-FIFO (Yang and others, SOSP 2023) or in the order of use.
///
/// With S3-FIFO a new entry waits in a small queue. An entry that is used there moves on to the main queue; any other is
/// evicted and leaves a ghost. A digest that is stored while its ghost is there goes to the main queue at once. So a single
/// pass over many images does not flush those that are shown again and again.
///
/// The paper has a small queue of 10 % and as many ghosts as entries. Here it takes 30 %, one use suffices for promotion, and
/// ghosts last three times as long, because a user who scrolls down and back up uses each image twice within some screens.
extension EntryTable {
    private static let smallShare = 0.3
    private static let ghostsPerEntry = 3

    /// Evicts one entry while the entries cost more than `cost` or are more than `count`, else returns `nil`.
    mutating func evict(toCost cost: Int, count: Int) -> Evicted? {
        while totalCost > cost || self.count > count {
            let isSmallFull =
                Double(small.cost) > Self.smallShare * Double(cost)
                || Double(small.count) > Self.smallShare * Double(count)
            guard let place = main.count == 0 || isSmallFull ? small.oldest : main.oldest else { return nil }
            // Each use keeps an entry for one more round. In the order of use, the oldest goes, used or not.
            if slots[place].isUsed, policy == .s3FIFO {
                slots[place].isUsed = false
                moveToMain(place)
                continue
            }
            let slot = slots[place]
            let evicted = Evicted(place: place, digest: slot.digest, cost: slot.cost, expiry: expiries[place])
            remove(place)
            if !slot.isInMain { ghosts.insert(slot.digest, limit: Self.ghostsPerEntry * places.count) }
            statistics.evictions &+= 1
            return evicted
        }
        return nil
    }
}
