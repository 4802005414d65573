/// Who may run now, and who waits: a limit for all and one a group (a host, say), by priority, then by order.
///
/// A pure value: it takes events and returns whom they admit (B68 to B71). Every event costs O(log n), and one that only
/// takes somebody out O(1): thousands may wait and be cancelled at once.
///
/// Each group has a heap of those who wait in it, and one more heap offers the best of each group that has room. Who
/// leaves stays in its heap until it comes up or half of the heap is such leftovers: an entry is real only while
/// `waiting` has the same rank for it.
struct AdmissionQueue<ID: Hashable & Sendable>: Sendable {
    /// Who of equals goes first (X127).
    enum Order: Sendable, Hashable {
        case firstInFirstOut
        case lastInFirstOut
    }

    /// The greatest goes first; no two are equal.
    private typealias Rank = Int

    private struct Waiting {
        let group: String
        let priority: LoadPriority
        let rank: Rank
    }

    private struct Entry: Comparable {
        let rank: Rank
        let id: ID

        static func < (first: Entry, second: Entry) -> Bool { first.rank < second.rank }
        static func == (first: Entry, second: Entry) -> Bool { first.rank == second.rank }
    }

    /// The best of a group, as far as is known.
    private struct Offer: Comparable {
        let rank: Rank
        let group: String

        static func < (first: Offer, second: Offer) -> Bool { first.rank < second.rank }
        static func == (first: Offer, second: Offer) -> Bool { first.rank == second.rank }
    }

    private struct Group {
        var runningCount = 0
        var waitingCount = 0
        var entries = BinaryHeap<Entry>()

        /// Returns how many of the group run.
        mutating func add(_ entry: Entry) -> Int {
            waitingCount += 1
            entries.insert(entry)
            return runningCount
        }
    }

    private(set) var limit: Int
    private(set) var limitPerGroup: Int
    let order: Order
    /// While true nobody is admitted; who runs goes on (B71).
    private(set) var isSuspended = false
    /// How many want nobody admitted for a moment.
    private var holds = 0
    /// How many more may be admitted for now; `nil` for as many as there is room for.
    private(set) var allowance: Int?

    private var waiting: [ID: Waiting] = [:]
    private var running: [ID: String] = [:]
    private var groups: [String: Group] = [:]
    private var offers = BinaryHeap<Offer>()
    private var arrivals = 0

    init(limit: Int, limitPerGroup: Int = .max, order: Order = .firstInFirstOut) {
        self.limit = limit
        self.limitPerGroup = limitPerGroup
        self.order = order
    }

    var runningCount: Int { running.count }
    var waitingCount: Int { waiting.count }
    private var isOpen: Bool { !isSuspended && holds == 0 }

    /// Whether somebody might go if only the allowance were larger.
    var isHeldByAllowance: Bool {
        allowance == 0 && isOpen && running.count < limit && !waiting.isEmpty
    }

    // MARK: - Events

    /// Somebody new, who goes at once where there is room, before whoever waits: those cannot go then, as else they would
    /// have gone. Returns whether so; else nothing has happened. Most go so, at a tenth of the cost of a place in line.
    mutating func admitAtOnce(_ id: ID, group: String) -> Bool {
        guard isOpen, allowance == nil, running.count < limit, hasRoom(group) else { return false }
        running[id] = group
        if groups.change(group, { $0.runningCount += 1 }) == nil { groups[group] = Group(runningCount: 1) }
        return true
    }

    /// Somebody new. Returns whom this admits.
    mutating func enqueue(_ id: ID, group: String, priority: LoadPriority) -> [ID] {
        place(id, group, priority)
        return admit()
    }

    /// Who waits counts as the last to come of its new priority: first come first served, it moves behind its equals (B69).
    mutating func reprioritise(_ id: ID, _ priority: LoadPriority) -> [ID] {
        guard let entry = waiting[id], entry.priority != priority else { return [] }
        groups.change(entry.group) { $0.waitingCount -= 1 }
        place(id, entry.group, priority)
        return admit()
    }

    /// Somebody is done, or does not want any more. Harmless for who is unknown or gone (B70).
    mutating func leave(_ id: ID) -> [ID] {
        if let entry = waiting.removeValue(forKey: id) {
            groups.change(entry.group) { $0.waitingCount -= 1 }
            tidy(entry.group)
            return []
        }
        guard let group = running.removeValue(forKey: id) else { return [] }
        groups.change(group) { $0.runningCount -= 1 }
        tidy(group)
        guard !waiting.isEmpty else { return [] }
        offerBest(of: group)
        return admit()
    }

    /// Raising admits at once; lowering lets run who runs (B68).
    mutating func setLimit(_ limit: Int) -> [ID] {
        self.limit = limit
        return admit()
    }

    /// The same for each group. O(groups).
    mutating func setLimitPerGroup(_ limit: Int) -> [ID] {
        limitPerGroup = limit
        offers = BinaryHeap()
        for group in groups.keys { offerBest(of: group) }
        return admit()
    }

    mutating func setSuspended(_ isSuspended: Bool) -> [ID] {
        self.isSuspended = isSuspended
        return admit()
    }

    /// Admits nobody until `release`, whatever else happens.
    mutating func hold() { holds += 1 }

    /// Ends one hold.
    mutating func release() -> [ID] {
        holds -= 1
        return admit()
    }

    /// Lets no more than `allowance` be admitted until it is set again.
    mutating func setAllowance(_ allowance: Int?) -> [ID] {
        self.allowance = allowance
        return admit()
    }

    // MARK: - Who is next

    private mutating func place(_ id: ID, _ group: String, _ priority: LoadPriority) {
        arrivals += 1
        // Room for more arrivals than there ever are, below the priority.
        let turn = order == .firstInFirstOut ? (1 << 56) - arrivals : arrivals
        let entry = Entry(rank: priority.rawValue << 57 + turn, id: id)
        waiting[id] = Waiting(group: group, priority: priority, rank: entry.rank)
        if groups[group] == nil { groups[group] = Group() }
        let runningCount = groups.change(group) { $0.add(entry) } ?? 0
        let isFull = runningCount >= limitPerGroup
        // A full group offers its best when it has room.
        if !isFull, best(of: group)?.rank == entry.rank { offerBest(of: group) }
        tidy(group)
    }

    private mutating func admit() -> [ID] {
        var admitted: [ID] = []
        while isOpen, running.count < limit, allowance != 0, let next = takeNext() {
            admitted.append(next)
            allowance = allowance.map { $0 - 1 }
        }
        return admitted
    }

    private mutating func takeNext() -> ID? {
        while let offer = offers.popFirst() {
            // A full group offers anew when it has room.
            guard hasRoom(offer.group), let best = best(of: offer.group) else { continue }
            guard best.rank == offer.rank else {
                // Whom it offered has left, or is running.
                offerBest(of: offer.group)
                continue
            }
            groups.change(offer.group) { group in
                group.entries.popFirst()
                group.waitingCount -= 1
                group.runningCount += 1
            }
            waiting[best.id] = nil
            running[best.id] = offer.group
            offerBest(of: offer.group)
            return best.id
        }
        return nil
    }

    private func hasRoom(_ group: String) -> Bool { (groups[group]?.runningCount ?? 0) < limitPerGroup }

    private mutating func offerBest(of group: String) {
        guard hasRoom(group), let best = best(of: group) else { return }
        offers.insert(Offer(rank: best.rank, group: group))
    }

    /// The first of a group, once the leftovers before it are gone.
    private mutating func best(of group: String) -> Entry? {
        while let first = groups[group]?.entries.first {
            if waiting[first.id]?.rank == first.rank { return first }
            groups.change(group) { _ = $0.entries.popFirst() }
        }
        return nil
    }

    /// Forgets a group with nobody in it, and leftovers once they are more than half of a heap: O(1) an event.
    private mutating func tidy(_ name: String) {
        if let group = groups[name] {
            if group.runningCount == 0, group.waitingCount == 0 {
                groups[name] = nil
            } else if group.entries.count > 2 * group.waitingCount + 16 {
                groups.change(name) { group in
                    group.entries.keep { waiting[$0.id]?.rank == $0.rank }
                }
            }
        }
        if offers.count > 2 * groups.count + 16 {
            offers = BinaryHeap()
            for group in groups.keys { offerBest(of: group) }
        }
    }
}
