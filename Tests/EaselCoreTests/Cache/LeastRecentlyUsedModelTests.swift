import Testing

@testable import EaselCore

@Suite("Least recently used: against a naive model")
struct LeastRecentlyUsedModelTests {
    @Test(
        "random operations keep the invariants, and give what a list of entries in order of use gives",
        arguments: 1...12)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cache = LeastRecentlyUsed<Int, Int>(maximumCost: 60, maximumCount: 8)
        var model = Model(maximumCost: 60, maximumCount: 8)
        for step in 0..<2_000 {
            let key = Int.random(in: 0..<14, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9:
                let cost = Int.random(in: -2...70, using: &random) / Int.random(in: 1...8, using: &random)
                #expect(cache.store(step, cost: cost, for: key) == model.store(step, cost: cost, for: key))
            case 9..<15:
                #expect(cache.value(for: key) == model.value(for: key))
            case 15..<18:
                #expect(cache.remove(key) == model.remove(key))
            case 18:
                let cost = Int.random(in: 0...60, using: &random)
                #expect(cache.trim(toCost: cost, count: .max) == model.trim(toCost: cost, count: .max))
            default:
                let (cost, count) = (Int.random(in: 0...80, using: &random), Int.random(in: 0...10, using: &random))
                #expect(cache.setLimits(cost: cost, count: count) == model.setLimits(cost: cost, count: count))
            }
            #expect(cache.isConsistent)
            #expect(cache.count == model.entries.count)
            #expect(cache.totalCost == model.totalCost)
        }
    }

    /// Entries in an array, the least recently used first.
    private struct Model {
        var maximumCost: Int
        var maximumCount: Int
        var entries: [(key: Int, value: Int, cost: Int)] = []

        var totalCost: Int { entries.reduce(0) { $0 + $1.cost } }

        mutating func value(for key: Int) -> Int? {
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            entries.append(entries.remove(at: index))
            return entries.last?.value
        }

        mutating func remove(_ key: Int) -> Int? {
            entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).value }
        }

        mutating func store(_ value: Int, cost: Int, for key: Int) -> [Int] {
            let replaced = remove(key).map { [$0] } ?? []
            guard max(0, cost) <= maximumCost, maximumCost > 0, maximumCount > 0 else { return replaced }
            entries.append((key, value, max(0, cost)))
            return replaced + trim(toCost: maximumCost, count: maximumCount)
        }

        mutating func trim(toCost cost: Int, count: Int) -> [Int] {
            var evicted: [Int] = []
            while totalCost > cost || entries.count > count { evicted.append(entries.removeFirst().value) }
            return evicted
        }

        mutating func setLimits(cost: Int, count: Int) -> [Int] {
            (maximumCost, maximumCount) = (cost, count)
            return trim(toCost: cost, count: cost == 0 ? 0 : count)
        }
    }
}
