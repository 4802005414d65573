/// Evicts by S3-FIFO (Yang and others, SOSP 2023): what comes waits in a small queue; what is used there moves on to the
/// main queue, the rest goes and is remembered for a while; what comes back in that while goes to the main queue at once.
///
/// So a single pass over many pictures cannot flush those that are shown again and again. The small queue has 30 % of the
/// cache, not the 10 % that the paper has, and one use is enough for promotion, because a user who scrolls down and back
/// up uses each picture twice and within some screens: what he comes back to must still be in the small queue. Where the
/// way back is longer than that queue, "least recently used" keeps more hits. A use sets a bit and moves nothing.
struct S3FIFO {
    private var small = EntryQueue()
    private var main = EntryQueue()
    private var ghosts = GhostTable()
    private static let smallShare = 0.3

    mutating func didUse(_ place: Int32, in arena: inout EntryArena) {
        // Written only where it changes, so that cores that read the same entries keep them in their caches.
        if !arena[place].isUsed { arena[place].isUsed = true }
    }

    mutating func insert(_ place: Int32, in arena: inout EntryArena) {
        arena[place].isInMain = ghosts.take(tag: arena.tag(of: arena[place].digest))
        append(place, in: &arena)
    }

    /// Puts an entry that was overwritten back into the queue that it was taken from. That counts as a use (B9).
    mutating func reinsert(_ place: Int32, in arena: inout EntryArena) {
        arena[place].isUsed = true
        append(place, in: &arena)
    }

    mutating func remove(_ place: Int32, in arena: inout EntryArena) {
        if arena[place].isInMain { main.remove(place, in: &arena) } else { small.remove(place, in: &arena) }
    }

    /// Takes out the entry that is to go, on the way down to `target`; `nil` where there is none.
    ///
    /// Entries that were used since they were last looked at stay, with their bit taken: each use buys one round.
    mutating func evict(towards target: EntryTarget, limits: MemoryLimits, in arena: inout EntryArena) -> Int32? {
        while true {
            if main.count == 0 || exceedsShare(of: target) {
                let place = small.oldest
                guard place != EntryArena.none else { return nil }
                small.remove(place, in: &arena)
                guard arena[place].isUsed else {
                    remember(place, limits: limits, in: arena)
                    return place
                }
                arena[place].isUsed = false
                arena[place].isInMain = true
                main.append(place, in: &arena)
            } else {
                let place = main.oldest
                main.remove(place, in: &arena)
                guard arena[place].isUsed else { return place }
                arena[place].isUsed = false
                main.append(place, in: &arena)
            }
        }
    }

    private mutating func append(_ place: Int32, in arena: inout EntryArena) {
        if arena[place].isInMain { main.append(place, in: &arena) } else { small.append(place, in: &arena) }
    }

    private func exceedsShare(of target: EntryTarget) -> Bool {
        Double(small.cost) > Self.smallShare * Double(target.cost)
            || Double(small.count) > Self.smallShare * Double(target.count)
    }

    private mutating func remember(_ place: Int32, limits: MemoryLimits, in arena: EntryArena) {
        let slot = arena[place]
        ghosts.insert(
            tag: arena.tag(of: slot.digest), share: limits.share(ofCost: slot.cost), entryCount: arena.slotCount)
    }

    /// The queues, each from the newest to the oldest, or `nil` where one is damaged. For tests.
    func places(in arena: EntryArena) -> [Int32]? {
        guard let small = small.places(in: arena), let main = main.places(in: arena) else { return nil }
        let isMarked = small.allSatisfy { !arena[$0].isInMain } && main.allSatisfy { arena[$0].isInMain }
        return isMarked ? small + main : nil
    }
}
