/// Work that waits to run: by priority, then by arrival, with a limit in total and a limit per group, such as a host.
///
/// A pure value: each event returns the elements that it admits. An event takes constant time, and admitting an element time in
/// proportion to the number of groups.
struct PriorityQueue<Element: Hashable & Sendable, Group: Hashable & Sendable>: Sendable {
    /// Which of two elements with the same priority runs first.
    enum Order: Sendable, Hashable {
        case firstInFirstOut, lastInFirstOut
    }

    private struct Waiting {
        let group: Group
        let priority: LoadPriority
        let turn: Int
    }

    private struct Place: Sendable {
        let turn: Int
        let element: Element
    }

    private struct Members: Sendable {
        var runningCount = 0
        var waitingCount = 0
        /// By priority, from the lowest. An element that has left is skipped later; it no longer waits with that turn.
        var buckets = [Deque<Place>](repeating: Deque(), count: LoadPriority.allCases.count)
    }

    /// The number of elements that may run. Lowering it does not stop any. Call `admit()` after a change of this and of the following.
    var limit: Int
    var limitPerGroup: Int
    let order: Order
    /// Whether nothing is admitted. Running elements continue.
    var isSuspended = false
    /// Nothing is admitted while this is not 0.
    var holds = 0
    /// How many more elements may be admitted for now; `nil` for no such limit.
    var allowance: Int?

    private var waiting: [Element: Waiting] = [:]
    private var running: [Element: Group] = [:]
    private var groups: [Group: Members] = [:]
    private var arrivals = 0

    init(limit: Int, limitPerGroup: Int = .max, order: Order = .firstInFirstOut) {
        self.limit = limit
        self.limitPerGroup = limitPerGroup
        self.order = order
    }

    var runningCount: Int { running.count }
    var waitingCount: Int { waiting.count }
    private var isOpen: Bool { !isSuspended && holds == 0 }
    /// Whether only the allowance keeps an element waiting.
    var isHeldByAllowance: Bool { allowance == 0 && isOpen && running.count < limit && !waiting.isEmpty }

    /// Admits a new element if there is room. No waiting element can be passed over: it would have been admitted before.
    mutating func admitAtOnce(_ element: Element, group: Group) -> Bool {
        guard isOpen, allowance == nil, running.count < limit, hasRoom(groups[group]) else { return false }
        running[element] = group
        groups[group, default: Members()].runningCount += 1
        return true
    }

    /// Adds a new element.
    mutating func enqueue(_ element: Element, group: Group, priority: LoadPriority) -> [Element] {
        place(element, group, priority)
        return admit()
    }

    /// Changes the priority of a waiting element, which then counts as the last arrival of that priority.
    mutating func reprioritise(_ element: Element, _ priority: LoadPriority) -> [Element] {
        guard let entry = waiting[element], entry.priority != priority else { return [] }
        groups[entry.group]?.waitingCount -= 1
        place(element, entry.group, priority)
        return admit()
    }

    /// Removes an element that has run or is no longer needed. Does nothing for an unknown one.
    mutating func leave(_ element: Element) -> [Element] {
        if let entry = waiting.removeValue(forKey: element) {
            groups[entry.group]?.waitingCount -= 1
            compact(entry.group)
            return []
        }
        guard let group = running.removeValue(forKey: element) else { return [] }
        groups[group]?.runningCount -= 1
        compact(group)
        return waiting.isEmpty ? [] : admit()
    }

    private mutating func place(_ element: Element, _ group: Group, _ priority: LoadPriority) {
        arrivals += 1
        waiting[element] = Waiting(group: group, priority: priority, turn: arrivals)
        groups[group, default: Members()].buckets[priority.rawValue].append(Place(turn: arrivals, element: element))
        groups[group]?.waitingCount += 1
        compact(group)
    }

    /// Admits as many elements as there is room for.
    mutating func admit() -> [Element] {
        var admitted: [Element] = []
        while isOpen, running.count < limit, allowance != 0, let (element, group) = next() {
            waiting[element] = nil
            running[element] = group
            groups[group]?.waitingCount -= 1
            groups[group]?.runningCount += 1
            admitted.append(element)
            allowance = allowance.map { $0 - 1 }
        }
        return admitted
    }

    /// Removes the element to admit next from its bucket, and returns it.
    private mutating func next() -> (element: Element, group: Group)? {
        guard !waiting.isEmpty else { return nil }
        for priority in LoadPriority.allCases.reversed() {
            var best: (place: Place, group: Group)?
            for (group, members) in groups where members.waitingCount > 0 && hasRoom(members) {
                guard let first = first(of: group, priority) else { continue }
                if let best, isBefore(best.place, first) { continue }
                best = (first, group)
            }
            guard let best else { continue }
            removeFirst(of: best.group, priority)
            return (best.place.element, best.group)
        }
        return nil
    }

    private func isBefore(_ first: Place, _ second: Place) -> Bool {
        order == .firstInFirstOut ? first.turn < second.turn : first.turn > second.turn
    }

    /// The first element of a bucket that still waits there.
    private mutating func first(of group: Group, _ priority: LoadPriority) -> Place? {
        while let bucket = groups[group]?.buckets[priority.rawValue],
            let first = order == .firstInFirstOut ? bucket.first : bucket.last
        {
            if waiting[first.element]?.turn == first.turn { return first }
            removeFirst(of: group, priority)
        }
        return nil
    }

    private mutating func removeFirst(of group: Group, _ priority: LoadPriority) {
        switch order {
        case .firstInFirstOut: groups[group]?.buckets[priority.rawValue].popFirst()
        case .lastInFirstOut: groups[group]?.buckets[priority.rawValue].popLast()
        }
    }

    private func hasRoom(_ members: Members?) -> Bool { (members?.runningCount ?? 0) < limitPerGroup }

    /// Removes an empty group, and elements that have left once they are the majority.
    private mutating func compact(_ name: Group) {
        guard let group = groups[name] else { return }
        if group.runningCount == 0, group.waitingCount == 0 {
            groups[name] = nil
        } else if group.buckets.reduce(0, { $0 + $1.count }) > 2 * group.waitingCount + 16 {
            for index in group.buckets.indices {
                groups[name]?.buckets[index].removeAll { waiting[$0.element]?.turn != $0.turn }
            }
        }
    }
}
