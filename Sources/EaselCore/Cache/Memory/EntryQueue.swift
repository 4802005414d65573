/// Entries from the newest to the oldest, and their sums: a list through the slots of an arena.
struct EntryQueue {
    private(set) var newest = EntryArena.none
    private(set) var oldest = EntryArena.none
    private(set) var cost = 0
    private(set) var count = 0

    /// Adds an entry that is in no queue, as the newest.
    mutating func append(_ place: Int32, in arena: inout EntryArena) {
        arena[place].newer = EntryArena.none
        arena[place].older = newest
        if newest == EntryArena.none { oldest = place } else { arena[newest].newer = place }
        newest = place
        cost += arena[place].cost
        count += 1
    }

    /// Takes an entry out that is in this queue.
    mutating func remove(_ place: Int32, in arena: inout EntryArena) {
        let (newer, older) = (arena[place].newer, arena[place].older)
        if newer == EntryArena.none { newest = older } else { arena[newer].older = older }
        if older == EntryArena.none { oldest = newer } else { arena[older].newer = newer }
        cost -= arena[place].cost
        count -= 1
    }

    /// The places from the newest to the oldest, or `nil` where the list or the sums are damaged. For tests.
    func places(in arena: EntryArena) -> [Int32]? {
        var places: [Int32] = []
        var (newer, place, sum) = (EntryArena.none, newest, 0)
        while place != EntryArena.none, places.count <= count {
            guard !arena[place].isFree, arena[place].newer == newer else { return nil }
            places.append(place)
            sum += arena[place].cost
            (newer, place) = (place, arena[place].older)
        }
        return places.count == count && sum == cost && newer == oldest ? places : nil
    }
}
