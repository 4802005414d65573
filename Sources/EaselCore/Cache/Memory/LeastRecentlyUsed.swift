/// Evicts what was not used for the longest time. A use moves the entry to the front.
struct LeastRecentlyUsed {
    private var queue = EntryQueue()

    mutating func didUse(_ place: Int32, in arena: inout EntryArena) {
        guard place != queue.newest else { return }
        queue.remove(place, in: &arena)
        queue.append(place, in: &arena)
    }

    mutating func insert(_ place: Int32, in arena: inout EntryArena) { queue.append(place, in: &arena) }

    mutating func remove(_ place: Int32, in arena: inout EntryArena) { queue.remove(place, in: &arena) }

    /// Takes out the entry that is to go; `nil` where there is none.
    mutating func evict(in arena: inout EntryArena) -> Int32? {
        let place = queue.oldest
        guard place != EntryArena.none else { return nil }
        queue.remove(place, in: &arena)
        return place
    }

    /// The places from the newest to the oldest, or `nil` where the queue is damaged. For tests.
    func places(in arena: EntryArena) -> [Int32]? { queue.places(in: arena) }
}
