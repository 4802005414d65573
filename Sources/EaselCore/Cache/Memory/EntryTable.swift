/// The expiry of an entry, as a time since a fixed moment.
struct Expiry: Sendable {
    var deadline: Duration

    /// - Parameter now: `nil` if nothing expires.
    func isReached(at now: Duration?) -> Bool { now.map { deadline <= $0 } ?? false }
}

/// An entry of a memory cache without its value.
struct EntrySlot: Sendable {
    /// The index that means no slot.
    static let none = -1

    let digest: Digest
    var cost = 0
    /// Whether the slot belongs to the main queue. With the policy "least recently used" all do.
    var isInMain: Bool
    var isUsed = false
    var newer = none
    var older = none
}

/// The entries of a memory cache without their values: their costs, their lifetimes and the order of eviction.
///
/// The owner keeps the values in an array, at the indices of the table's slots. The table is not generic, so that it is
/// compiled once for all types of values.
struct EntryTable: Sendable {
    var configuration: MemoryCacheConfiguration
    var statistics = MemoryCacheStatistics()
    private(set) var slots: [EntrySlot] = []
    private var freeSlots: [Int] = []
    private var indices: [Digest: Int] = [:]
    private var expiries: [Int: Expiry] = [:]
    private var small = EntryQueue()
    private var main = EntryQueue()
    private var ghosts = GhostQueue()

    init(_ configuration: MemoryCacheConfiguration) { self.configuration = configuration }

    var totalCost: Int { small.cost + main.cost }
    var count: Int { small.count + main.count }
    var expiringCount: Int { expiries.count }

    func index(of digest: Digest) -> Int? { indices[digest] }

    func isExpired(_ index: Int, at now: Duration?) -> Bool {
        now != nil && expiries[index]?.isReached(at: now) == true
    }

    func expiredSlots(at now: Duration) -> [Int] {
        expiries.filter { $0.value.isReached(at: now) }.map(\.key)
    }

    /// Returns the index of an entry that has not expired, and counts a hit.
    mutating func use(_ digest: Digest, at now: Duration?) -> Int? {
        guard let index = indices[digest], !isExpired(index, at: now) else { return nil }
        statistics.hits &+= 1
        switch configuration.policy {
        case .s3FIFO: slots[index].isUsed = true
        case .leastRecentlyUsed: moveToMain(index)
        }
        return index
    }

    /// Begins a store: removes the slot of `digest` from its queue, so that it is not evicted to make room, or adds a
    /// slot.
    mutating func claim(_ digest: Digest) -> Int {
        if let index = indices[digest] {
            unlink(index)
            slots[index].isUsed = true
            return index
        }
        let slot = EntrySlot(
            digest: digest, isInMain: configuration.policy == .leastRecentlyUsed || ghosts.remove(digest))
        let index = freeSlots.popLast() ?? slots.count
        if index == slots.count { slots.append(slot) } else { slots[index] = slot }
        indices[digest] = index
        return index
    }

    /// Ends a store: adds a claimed slot at the front of its queue. There must be room for it.
    mutating func insert(_ index: Int, cost: Int, expiry: Expiry?) {
        slots[index].cost = cost
        link(index)
        expiries[index] = expiry
        statistics.insertions &+= 1
    }

    mutating func remove(_ index: Int) {
        unlink(index)
        indices[slots[index].digest] = nil
        expiries[index] = nil
        freeSlots.append(index)
    }

    /// Removes all entries and ghosts, and releases their memory.
    mutating func removeAll() {
        let statistics = statistics
        self = EntryTable(configuration)
        self.statistics = statistics
    }

    private mutating func moveToMain(_ index: Int) {
        unlink(index)
        slots[index].isInMain = true
        link(index)
    }

    private mutating func link(_ index: Int) {
        if slots[index].isInMain { main.append(index, in: &slots) } else { small.append(index, in: &slots) }
    }

    private mutating func unlink(_ index: Int) {
        if slots[index].isInMain { main.remove(index, in: &slots) } else { small.remove(index, in: &slots) }
    }
}

/// Eviction by S3-FIFO (Yang and others, SOSP 2023) or in the order of use.
///
/// With S3-FIFO a new entry starts in a small queue. If it is used there it moves to the main queue, else it is evicted
/// and leaves a ghost. A digest that is stored while its ghost exists goes to the main queue at once. A single pass
/// over many images therefore does not evict those that are shown repeatedly.
///
/// The paper has a small queue of 10 % and as many ghosts as entries. Here it takes 30 %, one use suffices for
/// promotion, and there are three times as many ghosts: scrolling down and back up uses each image twice within some
/// screens.
extension EntryTable {
    private static let smallShare = 0.3
    private static let ghostsPerEntry = 3

    /// Evicts one entry if the entries cost more than `cost` or their number exceeds `count`. Its slot is free, but
    /// still has its contents.
    mutating func evict(toCost cost: Int, count: Int) -> (index: Int, expiry: Expiry?)? {
        while totalCost > cost || self.count > count {
            let isSmallFull =
                Double(small.cost) > Self.smallShare * Double(cost)
                || Double(small.count) > Self.smallShare * Double(count)
            guard let index = main.count == 0 || isSmallFull ? small.oldest : main.oldest else { return nil }
            // Each use keeps an entry for one more round.
            if slots[index].isUsed, configuration.policy == .s3FIFO {
                slots[index].isUsed = false
                moveToMain(index)
                continue
            }
            let expiry = expiries[index]
            remove(index)
            if !slots[index].isInMain {
                ghosts.insert(slots[index].digest, limit: Self.ghostsPerEntry * indices.count)
            }
            statistics.evictions &+= 1
            return (index, expiry)
        }
        return nil
    }
}

/// A queue of slots from the newest to the oldest, linked through the slots, with the sum of their costs.
private struct EntryQueue {
    private(set) var cost = 0
    private(set) var count = 0
    private var first = EntrySlot.none
    private var last = EntrySlot.none

    var oldest: Int? { count == 0 ? nil : last }

    /// Adds a slot that is in no queue, as the newest.
    mutating func append(_ index: Int, in slots: inout [EntrySlot]) {
        slots[index].newer = EntrySlot.none
        slots[index].older = first
        if count == 0 { last = index } else { slots[first].newer = index }
        first = index
        cost += slots[index].cost
        count += 1
    }

    /// Removes a slot that is in this queue.
    mutating func remove(_ index: Int, in slots: inout [EntrySlot]) {
        let (newer, older) = (slots[index].newer, slots[index].older)
        if newer == EntrySlot.none { first = older } else { slots[newer].older = older }
        if older == EntrySlot.none { last = newer } else { slots[older].newer = newer }
        cost -= slots[index].cost
        count -= 1
    }
}

/// The digests of the last entries that were evicted from the small queue.
private struct GhostQueue {
    /// The number of the last eviction of each digest.
    private var numbers: [Digest: Int] = [:]
    private var evictions = Deque<(digest: Digest, number: Int)>()
    private var nextNumber = 0

    /// Adds a digest, and removes those that are not among the last `limit` evictions.
    mutating func insert(_ digest: Digest, limit: Int) {
        numbers[digest] = nextNumber
        evictions.append((digest, nextNumber))
        nextNumber += 1
        while evictions.count > limit, let old = evictions.popFirst() {
            if numbers[old.digest] == old.number { numbers[old.digest] = nil }
        }
    }

    mutating func remove(_ digest: Digest) -> Bool { numbers.removeValue(forKey: digest) != nil }
}
