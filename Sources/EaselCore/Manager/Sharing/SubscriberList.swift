/// Those who wait for one piece of work, and what they want together. Adding, removing and changing one is O(1).
struct SubscriberList {
    private var demands: [Int: LoadDemand] = [:]
    /// How many want each priority, from the lowest, and how many previews.
    private var counts = SIMD4<Int>()
    private static let previews = 3

    init() {}

    init(_ subscriber: Int, _ demand: LoadDemand) {
        add(subscriber, demand)
    }

    var isEmpty: Bool { demands.isEmpty }

    /// In the order in which they came: their numbers ascend.
    var all: [Int] { demands.count == 1 ? Array(demands.keys) : demands.keys.sorted() }

    /// The highest priority (B60), and previews where anybody wants them.
    var demand: LoadDemand {
        let highest = LoadPriority.allCases.last { counts[$0.rawValue] > 0 }
        return LoadDemand(priority: highest ?? .low, wantsPreviews: counts[Self.previews] > 0)
    }

    mutating func add(_ subscriber: Int, _ demand: LoadDemand) {
        demands[subscriber] = demand
        count(demand, 1)
    }

    mutating func remove(_ subscriber: Int) {
        guard let demand = demands.removeValue(forKey: subscriber) else { return }
        count(demand, -1)
    }

    mutating func change(_ subscriber: Int, _ demand: LoadDemand) {
        guard demands[subscriber] != nil else { return }
        remove(subscriber)
        add(subscriber, demand)
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
