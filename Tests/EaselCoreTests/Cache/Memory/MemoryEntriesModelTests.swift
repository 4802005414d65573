import EaselTesting
import Testing

@testable import EaselCore

@Suite("Memory entries: against a naive model")
struct MemoryEntriesModelTests {
    @Test(
        "random operations keep the invariants, and give what lists of entries give",
        arguments: EvictionPolicy.allCases, 1...8)
    func random(policy: EvictionPolicy, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cache = NumberedEntries<Int>(policy, cost: 60, count: 8)
        var model = EvictionModel(policy: policy, cost: 60, count: 8)
        for step in 0..<1_000 {
            let key = Int.random(in: 0..<20, using: &random)
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
                #expect(cache.trim(cost: cost) == model.trim(cost: cost, count: .max))
            default:
                let (cost, count) = (Int.random(in: 0...80, using: &random), Int.random(in: 0...10, using: &random))
                #expect(cache.setLimits(cost: cost, count: count) == model.setLimits(cost: cost, count: count))
            }
            #expect(cache.entries.isConsistent)
            #expect(cache.entries.count == model.count)
            #expect(cache.entries.totalCost == model.totalCost)
        }
    }

    @Test("a large cache keeps its invariants while it grows, shrinks and evicts", arguments: EvictionPolicy.allCases)
    func large(policy: EvictionPolicy) {
        var random = SeededGenerator(seed: 7)
        var cache = NumberedEntries<Int>(policy, cost: .max, count: 1_500)
        var stored: [Int: Int] = [:]
        for step in 0..<8_000 {
            let key = Int.random(in: 0..<2_000, using: &random)
            if step % 3 == 0 {
                cache.remove(key)
                stored[key] = nil
            } else {
                cache.store(step, for: key)
                stored[key] = step
            }
            if step.isMultiple(of: 1_000) { #expect(cache.entries.isConsistent) }
        }
        #expect(cache.entries.isConsistent)
        let isRight = stored.allSatisfy { key, value in cache.value(for: key).map { $0 == value } ?? true }
        #expect(isRight)
        #expect(cache.entries.statistics.misses == stored.count - cache.entries.count)
    }
}
