import Testing

@testable import EaselCore

@Suite("Memory entries: what both policies do")
struct MemoryEntriesTests {
    @Test("overwriting makes no second entry and replaces its cost (B2, B12)", arguments: EvictionPolicy.allCases)
    func overwriting(policy: EvictionPolicy) {
        var cache = NumberedEntries<String>(policy, cost: 100)
        cache.store("a", cost: 30, for: 1)
        #expect(cache.store("b", cost: 5, for: 1) == ["a"])
        #expect(cache.entries.count == 1)
        #expect(cache.entries.totalCost == 5)
        #expect(cache.entries.cost(for: Digest(1)) == 5)
        #expect(cache.entries.isConsistent)
    }

    @Test("an entry that grows evicts others, not itself", arguments: EvictionPolicy.allCases)
    func growing(policy: EvictionPolicy) {
        var cache = NumberedEntries<String>(policy, cost: 10)
        for key in 0..<3 { cache.store("\(key)", cost: 3, for: key) }
        #expect(cache.store("grown", cost: 8, for: 0) == ["0", "1", "2"])
        #expect(cache.keys == [0])
        #expect(cache.entries.totalCost == 8)
        #expect(cache.entries.isConsistent)
    }

    @Test(
        "one that is dearer than the whole cache is not stored and evicts nothing (B3)",
        arguments: EvictionPolicy.allCases)
    func tooDear(policy: EvictionPolicy) {
        var cache = NumberedEntries<String>(policy, cost: 10)
        for key in 0..<3 { cache.store("\(key)", cost: 3, for: key) }
        #expect(cache.store("dear", cost: 11, for: 3) == ["dear"])
        #expect(cache.keys == [0, 1, 2])
        #expect(cache.entries.statistics.insertions == 3)
        #expect(cache.entries.isConsistent)
    }

    @Test(
        "one that is too dear takes away the old value of its key, which is out of date",
        arguments: EvictionPolicy.allCases)
    func tooDearReplacement(policy: EvictionPolicy) {
        var cache = NumberedEntries<String>(policy, cost: 10)
        for key in 0..<3 { cache.store("\(key)", cost: 3, for: key) }
        #expect(cache.store("dear", cost: 11, for: 1) == ["1", "dear"])
        #expect(cache.keys == [0, 2])
        #expect(cache.entries.totalCost == 6)
        #expect(cache.entries.isConsistent)
    }

    @Test("an entry may take its share and no more (B3)")
    func entryShare() {
        var cache = NumberedEntries<String>(.s3FIFO, cost: 100, entryShare: 0.1)
        cache.store("fits", cost: 10, for: 0)
        cache.store("dear", cost: 11, for: 1)
        #expect(cache.keys == [0])
    }

    @Test(
        "the share of an entry is held between 0 and 1; 0 stores nothing (B4)",
        arguments: [
            (-1.0, false), (0, false), (.nan, false), (-.infinity, false), (1, true), (7, true), (.infinity, true),
        ])
    func clampedShare(share: Double, stores: Bool) {
        var cache = NumberedEntries<String>(.s3FIFO, cost: .max, entryShare: share)
        cache.store("free", cost: 0, for: 0)
        cache.store("dear", cost: .max, for: 1)
        #expect(cache.keys == (stores ? [0, 1] : []))
        #expect(cache.entries.isConsistent)
    }

    @Test(
        "a limit of zero empties and disables (B5, B6)",
        arguments: EvictionPolicy.allCases, [(0, 10), (10, 0), (-5, 10), (10, -5)])
    func disabled(policy: EvictionPolicy, limits: (cost: Int, count: Int)) {
        var cache = NumberedEntries(full: 3, policy)
        #expect(cache.setLimits(cost: limits.cost, count: limits.count) == [0, 1, 2])
        #expect(cache.store(7, cost: 0, for: 7) == [7])
        #expect(cache.entries.count == 0)
        #expect(cache.entries.isConsistent)
    }

    @Test("huge and negative costs do not overflow (B4)", arguments: EvictionPolicy.allCases)
    func hugeCosts(policy: EvictionPolicy) {
        var cache = NumberedEntries<String>(policy, cost: .max)
        #expect(cache.store("a", cost: .max, for: 1).isEmpty)
        #expect(cache.store("b", cost: .max, for: 2) == ["a"])
        #expect(cache.store("c", cost: .max - 1, for: 3) == ["b"])
        #expect(cache.store("d", cost: 1, for: 4).isEmpty)
        #expect(cache.store("e", cost: .min, for: 5).isEmpty)
        #expect(cache.entries.totalCost == .max)
        #expect(cache.entries.isConsistent)
    }

    @Test("trimming to zero empties, to the present cost takes nothing (B8)", arguments: EvictionPolicy.allCases)
    func trim(policy: EvictionPolicy) {
        var cache = NumberedEntries(full: 4, policy)
        #expect(cache.trim(cost: 4).isEmpty)
        #expect(cache.trim(cost: 2) == [0, 1])
        #expect(cache.trim(count: 1) == [2])
        #expect(cache.trim(cost: 0, count: 0) == [3])
        #expect(cache.entries.count == 0 && cache.entries.totalCost == 0)
        #expect(cache.entries.statistics.evictions == 4)
        #expect(cache.entries.isConsistent)
    }

    @Test(
        "what was read outlives what was not, and so does what was overwritten (B9)", arguments: EvictionPolicy.allCases
    )
    func usesCount(policy: EvictionPolicy) {
        var cache = NumberedEntries(full: 4, policy)
        #expect(cache.value(for: 0) == 0)
        #expect(cache.store(10, for: 1) == [1])
        #expect(cache.store(4, for: 4) == [2])
        #expect(cache.store(5, for: 5) == [3])
        #expect(cache.keys == [0, 1, 4, 5])
        #expect(cache.entries.isConsistent)
    }

    @Test("looking whether it is there is no use and counts nothing")
    func looking() {
        var cache = NumberedEntries(full: 2, .leastRecentlyUsed)
        #expect(cache.contains(0))
        #expect(!cache.contains(9))
        #expect(cache.store(2, for: 2) == [0])
        #expect(cache.entries.statistics.hits == 0)
        #expect(cache.entries.statistics.misses == 0)
    }

    @Test("counts hits, misses, insertions and evictions")
    func statistics() {
        var cache = NumberedEntries(full: 2, .s3FIFO)
        for key in 0..<3 { _ = cache.value(for: key) }
        cache.store(2, for: 2)
        cache.remove(2)
        let statistics = cache.entries.statistics
        #expect(statistics.hits == 2)
        #expect(statistics.misses == 1)
        #expect(statistics.insertions == 3)
        #expect(statistics.evictions == 1)
        #expect(statistics.hitRatio == 2.0 / 3)
        #expect(MemoryCacheStatistics().hitRatio == 0)
    }
}
