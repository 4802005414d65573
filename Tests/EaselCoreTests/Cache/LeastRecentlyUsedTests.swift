import Testing

@testable import EaselCore

@Suite("Least recently used: which goes first")
struct LeastRecentlyUsedTests {
    @Test("the least recently used goes first; a read is a use (B9)")
    func readIsUse() {
        var cache = filled(count: 3)
        #expect(cache.value(for: 0) == "0")
        #expect(cache.store("3", cost: 1, for: 3) == ["1"])
        #expect(present(&cache) == [0, 2, 3])
        #expect(cache.isConsistent)
    }

    @Test("overwriting is a use (B9)")
    func overwritingIsUse() {
        var cache = filled(count: 3)
        #expect(cache.store("new", cost: 1, for: 0) == ["0"])
        #expect(cache.store("3", cost: 1, for: 3) == ["1"])
        #expect(cache.value(for: 0) == "new")
        #expect(cache.isConsistent)
    }

    @Test("overwriting makes no second entry and replaces its cost (B2, B12)")
    func overwriting() {
        var cache = LeastRecentlyUsed<Int, String>(maximumCost: 100, maximumCount: 10)
        _ = cache.store("a", cost: 30, for: 1)
        _ = cache.store("b", cost: 5, for: 1)
        #expect(cache.count == 1)
        #expect(cache.totalCost == 5)
        #expect(cache.entry(for: 1)?.cost == 5)
        #expect(cache.isConsistent)
    }

    @Test("an entry that grows evicts others, not itself")
    func growing() {
        var cache = LeastRecentlyUsed<Int, String>(maximumCost: 10, maximumCount: 10)
        for key in 0..<3 { _ = cache.store("\(key)", cost: 3, for: key) }
        #expect(cache.store("grown", cost: 8, for: 0) == ["0", "1", "2"])
        #expect(present(&cache) == [0])
        #expect(cache.totalCost == 8)
        #expect(cache.isConsistent)
    }

    @Test("one that is dearer than the whole cache is not stored and evicts nothing (B3)")
    func tooDear() {
        var cache = LeastRecentlyUsed<Int, String>(maximumCost: 10, maximumCount: 10)
        for key in 0..<3 { _ = cache.store("\(key)", cost: 3, for: key) }
        #expect(cache.store("dear", cost: 11, for: 3).isEmpty)
        #expect(present(&cache) == [0, 1, 2])
        #expect(cache.isConsistent)
    }

    @Test("one that is too dear takes away the old value of its key, which is out of date")
    func tooDearReplacement() {
        var cache = LeastRecentlyUsed<Int, String>(maximumCost: 10, maximumCount: 10)
        for key in 0..<3 { _ = cache.store("\(key)", cost: 3, for: key) }
        #expect(cache.store("dear", cost: 11, for: 1) == ["1"])
        #expect(present(&cache) == [0, 2])
        #expect(cache.totalCost == 6)
        #expect(cache.isConsistent)
    }

    @Test("lowering a limit evicts at once, in order (B7)")
    func limits() {
        var cache = filled(count: 5)
        #expect(cache.setLimits(cost: 100, count: 3) == ["0", "1"])
        #expect(cache.setLimits(cost: 1, count: 3) == ["2", "3"])
        #expect(present(&cache) == [4])
        #expect(cache.isConsistent)
    }

    @Test("a limit of zero empties and disables (B5, B6)", arguments: [(0, 10), (10, 0), (-5, 10), (10, -5)])
    func disabled(cost: Int, count: Int) {
        var cache = filled(count: 3)
        #expect(cache.setLimits(cost: cost, count: count) == ["0", "1", "2"])
        #expect(cache.store("free", cost: 0, for: 7).isEmpty)
        #expect(cache.count == 0)
        #expect(cache.isConsistent)
    }

    @Test("huge and negative costs do not overflow (B4)")
    func hugeCosts() {
        var cache = LeastRecentlyUsed<Int, String>(maximumCost: .max, maximumCount: .max)
        #expect(cache.store("a", cost: .max, for: 1).isEmpty)
        #expect(cache.store("b", cost: .max, for: 2) == ["a"])
        #expect(cache.store("c", cost: .max - 1, for: 3) == ["b"])
        #expect(cache.store("d", cost: 1, for: 4).isEmpty)
        #expect(cache.store("e", cost: .min, for: 5).isEmpty)
        #expect(cache.totalCost == .max)
        #expect(cache.isConsistent)
    }

    @Test("trimming to zero empties, to the present cost takes nothing (B8)")
    func trim() {
        var cache = filled(count: 4)
        #expect(cache.trim(toCost: 4, count: .max).isEmpty)
        #expect(cache.trim(toCost: 2, count: .max) == ["0", "1"])
        #expect(cache.trim(toCost: 2, count: 1) == ["2"])
        #expect(cache.trim(toCost: 0, count: 0) == ["3"])
        #expect(cache.count == 0 && cache.totalCost == 0)
        #expect(cache.isConsistent)
    }

    /// Keys 0 ..< count, each at a cost of 1, as many as there is room for.
    private func filled(count: Int) -> LeastRecentlyUsed<Int, String> {
        var cache = LeastRecentlyUsed<Int, String>(maximumCost: 100, maximumCount: count)
        for key in 0..<count { _ = cache.store("\(key)", cost: 1, for: key) }
        return cache
    }

    private func present(_ cache: inout LeastRecentlyUsed<Int, String>) -> [Int] {
        (0..<10).filter { cache.value(for: $0) != nil }
    }
}
