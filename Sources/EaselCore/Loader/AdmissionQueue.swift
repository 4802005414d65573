/// Who may run now, and who waits: a limit for all and one a group (a host, say), by priority, then by order.
///
/// A pure value: it takes events and returns whom they admit (B68 to B71).
struct AdmissionQueue<ID: Hashable & Sendable>: Sendable {
    /// Who of equals goes first (X127).
    enum Order: Sendable, Hashable {
        case firstInFirstOut
        case lastInFirstOut
    }

    private struct Waiting {
        let id: ID
        let group: String
    }

    private(set) var limit: Int
    let limitPerGroup: Int
    let order: Order
    /// While true nobody is admitted; who runs goes on (B71).
    private(set) var isSuspended = false
    private var waiting: [LoadPriority: [Waiting]] = [:]
    private var priorities: [ID: LoadPriority] = [:]
    private var running: [ID: String] = [:]
    private var runningInGroup: [String: Int] = [:]

    init(limit: Int, limitPerGroup: Int = .max, order: Order = .firstInFirstOut) {
        self.limit = limit
        self.limitPerGroup = limitPerGroup
        self.order = order
    }

    var runningCount: Int { running.count }
    var waitingCount: Int { priorities.count }

    /// Somebody new. Returns whom this admits.
    mutating func enqueue(_ id: ID, group: String, priority: LoadPriority) -> [ID] {
        place(Waiting(id: id, group: group), priority)
        return admit()
    }

    /// Who waits counts as the last to come of its new priority: first come first served, it moves behind its equals (B69).
    mutating func reprioritise(_ id: ID, _ priority: LoadPriority) -> [ID] {
        guard let current = priorities[id], current != priority, let moved = take(id, from: current) else { return [] }
        place(moved, priority)
        return admit()
    }

    /// Somebody is done, or does not want any more. Harmless for who is unknown or gone (B70).
    mutating func leave(_ id: ID) -> [ID] {
        if let priority = priorities[id] {
            _ = take(id, from: priority)
            return []
        }
        guard let group = running.removeValue(forKey: id) else { return [] }
        let left = (runningInGroup[group] ?? 1) - 1
        runningInGroup[group] = left == 0 ? nil : left
        return admit()
    }

    /// Raising admits at once; lowering lets run who runs (B68).
    mutating func setLimit(_ limit: Int) -> [ID] {
        self.limit = limit
        return admit()
    }

    mutating func setSuspended(_ isSuspended: Bool) -> [ID] {
        self.isSuspended = isSuspended
        return admit()
    }

    private mutating func place(_ entry: Waiting, _ priority: LoadPriority) {
        priorities[entry.id] = priority
        waiting[priority, default: []].append(entry)
    }

    private mutating func take(_ id: ID, from priority: LoadPriority) -> Waiting? {
        priorities[id] = nil
        guard let index = waiting[priority]?.firstIndex(where: { $0.id == id }) else { return nil }
        return waiting[priority]?.remove(at: index)
    }

    private mutating func admit() -> [ID] {
        var admitted: [ID] = []
        while !isSuspended, running.count < limit, let next = takeNext() {
            running[next.id] = next.group
            runningInGroup[next.group, default: 0] += 1
            admitted.append(next.id)
        }
        return admitted
    }

    private mutating func takeNext() -> Waiting? {
        for priority in LoadPriority.allCases.reversed() {
            let hasRoom = { [runningInGroup, limitPerGroup] (entry: Waiting) in
                (runningInGroup[entry.group] ?? 0) < limitPerGroup
            }
            let entries = waiting[priority] ?? []
            let index =
                order == .firstInFirstOut ? entries.firstIndex(where: hasRoom) : entries.lastIndex(where: hasRoom)
            if let index {
                priorities[entries[index].id] = nil
                return waiting[priority]?.remove(at: index)
            }
        }
        return nil
    }
}
