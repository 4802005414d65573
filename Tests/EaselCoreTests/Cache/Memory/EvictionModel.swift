@testable import EaselCore

/// The two policies over plain arrays, as slow as they are plain.
struct EvictionModel {
    struct Entry {
        var key: Int
        var value: Int
        var cost: Int
        var isUsed = false
    }

    let policy: EvictionPolicy
    var maximumCost: Int
    var maximumCount: Int
    /// The oldest first. "Least recently used" has all in the main queue.
    private var small: [Entry] = []
    private var main: [Entry] = []
    /// Keys that were evicted, with the time then: how much was evicted before, in whole caches.
    private var ghosts: [Int: Double] = [:]
    private var clock = 0.0

    init(policy: EvictionPolicy, cost: Int, count: Int) {
        self.policy = policy
        maximumCost = cost
        maximumCount = count
    }

    var count: Int { small.count + main.count }
    var totalCost: Int { (small + main).reduce(0) { $0 + $1.cost } }

    mutating func value(for key: Int) -> Int? {
        if let index = small.firstIndex(where: { $0.key == key }) {
            small[index].isUsed = true
            return small[index].value
        }
        guard let index = main.firstIndex(where: { $0.key == key }) else { return nil }
        main[index].isUsed = true
        if policy == .leastRecentlyUsed { main.append(main.remove(at: index)) }
        return main.first { $0.key == key }?.value
    }

    mutating func remove(_ key: Int) -> Int? {
        if let index = small.firstIndex(where: { $0.key == key }) { return small.remove(at: index).value }
        return main.firstIndex { $0.key == key }.map { main.remove(at: $0).value }
    }

    mutating func store(_ value: Int, cost: Int, for key: Int) -> [Int] {
        let wasSmall = small.contains { $0.key == key }
        let replaced = remove(key).map { [$0] } ?? []
        let cost = max(0, cost)
        guard cost <= maximumCost, maximumCost > 0, maximumCount > 0 else { return replaced + [value] }
        let evicted = evict(cost: maximumCost - cost, count: maximumCount - 1)
        let entry = Entry(key: key, value: value, cost: cost, isUsed: !replaced.isEmpty)
        let isSmall = replaced.isEmpty ? policy == .s3FIFO && !takeGhost(key) : wasSmall
        if isSmall { small.append(entry) } else { main.append(entry) }
        return replaced + evicted
    }

    mutating func trim(cost: Int, count: Int) -> [Int] {
        let evicted = evict(cost: cost, count: count)
        if self.count == 0 { (ghosts, clock) = ([:], 0) }
        return evicted
    }

    mutating func setLimits(cost: Int, count: Int) -> [Int] {
        (maximumCost, maximumCount) = (cost, count)
        return trim(cost: cost, count: cost == 0 ? 0 : count)
    }

    private mutating func evict(cost: Int, count: Int) -> [Int] {
        var evicted: [Int] = []
        while totalCost > cost || self.count > count {
            let smallCost = small.reduce(0) { $0 + $1.cost }
            let isSmallOver = Double(smallCost) > 0.3 * Double(cost) || Double(small.count) > 0.3 * Double(count)
            if main.isEmpty || isSmallOver {
                var entry = small.removeFirst()
                if entry.isUsed {
                    entry.isUsed = false
                    main.append(entry)
                } else {
                    remember(entry)
                    evicted.append(entry.value)
                }
            } else {
                var entry = main.removeFirst()
                if entry.isUsed, policy == .s3FIFO {
                    entry.isUsed = false
                    main.append(entry)
                } else {
                    evicted.append(entry.value)
                }
            }
        }
        return evicted
    }

    private mutating func remember(_ entry: Entry) {
        let share = max(Double(entry.cost) / Double(max(maximumCost, 1)), 1 / Double(max(maximumCount, 1)))
        clock += min(share, 1)
        ghosts[entry.key] = clock
    }

    /// Compared in the table's unit of time.
    private mutating func takeGhost(_ key: Int) -> Bool {
        guard let time = ghosts.removeValue(forKey: key) else { return false }
        let ticks = Double(1 << 24)
        return Int(clock * ticks) - Int(time * ticks) <= 3 << 24
    }
}
