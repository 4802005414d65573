/// An entry of a memory cache without its value.
struct EntrySlot: Sendable {
    /// The place that stands for no slot.
    static let none = -1

    let digest: Digest
    var cost: Int
    /// Whether the slot is in the main queue or is to be put there. The policy "least recently used" has no other.
    var isInMain: Bool
    /// Whether the entry was used since it moved to the front of its queue.
    var isUsed = false
    var newer = none
    var older = none
}

/// A queue of slots from the newest to the oldest, linked through the slots, with the sum of their costs.
struct EntryQueue: Sendable {
    private(set) var cost = 0
    private(set) var count = 0
    private var first = EntrySlot.none
    private var last = EntrySlot.none

    var oldest: Int? { count == 0 ? nil : last }

    /// Adds a slot that is in no queue, as the newest.
    mutating func append(_ place: Int, in slots: inout [EntrySlot]) {
        slots[place].newer = EntrySlot.none
        slots[place].older = first
        if count == 0 { last = place } else { slots[first].newer = place }
        first = place
        cost += slots[place].cost
        count += 1
    }

    /// Removes a slot that is in this queue.
    mutating func remove(_ place: Int, in slots: inout [EntrySlot]) {
        let (newer, older) = (slots[place].newer, slots[place].older)
        if newer == EntrySlot.none { first = older } else { slots[newer].older = older }
        if older == EntrySlot.none { last = newer } else { slots[older].newer = newer }
        cost -= slots[place].cost
        count -= 1
    }
}

/// The digests of the last entries that were evicted from the small queue.
struct GhostQueue: Sendable {
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

    /// Removes a digest, and returns whether it was there.
    mutating func remove(_ digest: Digest) -> Bool { numbers.removeValue(forKey: digest) != nil }
}
