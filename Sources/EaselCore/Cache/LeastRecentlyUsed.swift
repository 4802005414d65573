/// A bounded dictionary in order of use: an arena of slots joined by indices, with no object a node.
struct LeastRecentlyUsed<Key: Hashable, Value> {
    private struct Slot {
        var key: Key
        /// `nil` while the slot is free.
        var value: Value?
        var cost: Int
        var newer: Int
        var older: Int
    }

    private(set) var maximumCost: Int
    private(set) var maximumCount: Int
    private(set) var totalCost = 0
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var newest = none
    private var oldest = none
    private static var none: Int { -1 }

    init(maximumCost: Int, maximumCount: Int) {
        self.maximumCost = max(0, maximumCost)
        self.maximumCount = max(0, maximumCount)
    }

    var count: Int { places.count }

    mutating func value(for key: Key) -> Value? { entry(for: key)?.0 }

    mutating func entry(for key: Key) -> (Value, cost: Int)? {
        guard let place = places[key], let value = slots[place].value else { return nil }
        if place != newest {
            unlink(place)
            linkAsNewest(place)
        }
        return (value, cost: slots[place].cost)
    }

    /// Stores and returns what had to go, for the caller to release outside its lock.
    mutating func store(_ value: Value, cost: Int, for key: Key) -> [Value] {
        let cost = max(0, cost)
        // What can never fit takes nothing with it, but what it would have replaced is out of date.
        var evicted = remove(key).map { [$0] } ?? []
        guard cost <= maximumCost, maximumCost > 0, maximumCount > 0 else { return evicted }
        // Room first: the sum of two costs may be more than fits an integer.
        evicted += trim(toCost: maximumCost - cost, count: maximumCount - 1)
        let place = takeSlot(key: key, value: value, cost: cost)
        places[key] = place
        totalCost += cost
        linkAsNewest(place)
        return evicted
    }

    mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        unlink(place)
        totalCost -= slots[place].cost
        free.append(place)
        return slots[place].value.take()
    }

    mutating func trim(toCost cost: Int, count: Int) -> [Value] {
        var evicted: [Value] = []
        while oldest != Self.none, totalCost > cost || places.count > count {
            if let value = remove(slots[oldest].key) { evicted.append(value) }
        }
        return evicted
    }

    mutating func setLimits(cost: Int, count: Int) -> [Value] {
        maximumCost = max(0, cost)
        maximumCount = max(0, count)
        return trim(toCost: maximumCost, count: maximumCost == 0 ? 0 : maximumCount)
    }

    /// Whether the list, the index and the sums agree. For tests: linear in the number of entries.
    var isConsistent: Bool {
        var seen = 0
        var cost = 0
        var place = newest
        var newer = Self.none
        while place != Self.none, seen <= places.count {
            guard slots[place].value != nil, slots[place].newer == newer, places[slots[place].key] == place else {
                return false
            }
            seen += 1
            cost += slots[place].cost
            newer = place
            place = slots[place].older
        }
        return seen == places.count && cost == totalCost && newer == oldest
            && cost <= maximumCost && seen <= maximumCount && slots.count == places.count + free.count
    }

    private mutating func takeSlot(key: Key, value: Value, cost: Int) -> Int {
        let slot = Slot(key: key, value: value, cost: cost, newer: Self.none, older: Self.none)
        guard let place = free.popLast() else {
            slots.append(slot)
            return slots.count - 1
        }
        slots[place] = slot
        return place
    }

    private mutating func linkAsNewest(_ place: Int) {
        slots[place].newer = Self.none
        slots[place].older = newest
        if newest == Self.none { oldest = place } else { slots[newest].newer = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (slots[place].newer, slots[place].older)
        if newer == Self.none { newest = older } else { slots[newer].older = older }
        if older == Self.none { oldest = newer } else { slots[older].newer = newer }
    }
}
