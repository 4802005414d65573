/// Those who wait for one piece of work, and what they want together. Adding, removing and changing one is O(1).
struct SubscriberList {
    /// All, in the order of their numbers, and of several some who have left. Kept: each piece of news asks for them.
    private var order: [Int] = []
    /// What the first wants, as long as there is no other: most work has one, and needs no table.
    private var only: LoadDemand?
    /// What each of several wants.
    private var demands: [Int: LoadDemand] = [:]
    /// How many want each priority, from the lowest, and how many previews.
    private var counts = SIMD4<Int>()
    private static let previews = 3

    init() {}

    init(_ subscriber: Int, _ demand: LoadDemand) {
        add(subscriber, demand)
    }

    var isEmpty: Bool { only == nil && demands.isEmpty }

    /// In the order in which they came: their numbers ascend.
    var all: [Int] { only != nil || order.count == demands.count ? order : order.filter { demands[$0] != nil } }

    /// Who came first of those who are left.
    var first: Int? { only != nil ? order.first : order.first { demands[$0] != nil } }

    /// The highest priority (B60), and previews where anybody wants them.
    var demand: LoadDemand {
        let isHigh = counts[LoadPriority.high.rawValue] > 0
        let isNormal = counts[LoadPriority.normal.rawValue] > 0
        return LoadDemand(
            priority: isHigh ? .high : isNormal ? .normal : .low, wantsPreviews: counts[Self.previews] > 0)
    }

    mutating func add(_ subscriber: Int, _ demand: LoadDemand) {
        count(demand, 1)
        if isEmpty {
            (order, only) = ([subscriber], demand)
            return
        }
        if let first = only.take() { demands[order[0]] = first }
        keep(subscriber, demand)
    }

    private mutating func keep(_ subscriber: Int, _ demand: LoadDemand) {
        demands[subscriber] = demand
        // Nearly always the last: a number is given a moment before.
        var place = order.count
        while place > 0, order[place - 1] > subscriber { place -= 1 }
        order.insert(subscriber, at: place)
    }

    mutating func remove(_ subscriber: Int) {
        if let demand = only {
            guard order[0] == subscriber else { return }
            (order, only) = ([], nil)
            count(demand, -1)
        } else if let demand = demands.removeValue(forKey: subscriber) {
            count(demand, -1)
            // So that each costs constant time on average, and those who have left no memory for long.
            if order.count > 2 * demands.count + 16 { order.removeAll { demands[$0] == nil } }
        }
    }

    mutating func change(_ subscriber: Int, _ demand: LoadDemand) {
        guard let before = only == nil ? demands[subscriber] : order[0] == subscriber ? only : nil else { return }
        count(before, -1)
        count(demand, 1)
        if only == nil { demands[subscriber] = demand } else { only = demand }
    }

    /// The others, or `nil` where there are none.
    func without(_ subscriber: Int) -> SubscriberList? {
        var others = self
        others.remove(subscriber)
        return others.isEmpty ? nil : others
    }

    private mutating func count(_ demand: LoadDemand, _ number: Int) {
        counts[demand.priority.rawValue] += number
        if demand.wantsPreviews { counts[Self.previews] += number }
    }
}
