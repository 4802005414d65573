import Testing

@testable import EaselCore

@Suite("Memory cache")
struct MemoryCacheTests {
    @Test("a stored value is returned, and nil for an unknown key (B1)")
    func storeAndGet() {
        let cache = MemoryCache<Int>(maximumCost: 100)
        cache.store(7, cost: 1, for: "a")
        #expect(cache.value(for: "a") == 7)
        #expect(cache.value(for: "b") == nil)
    }

    @Test("remove returns the value, and nil the second time (B1)")
    func remove() {
        let cache = MemoryCache<Int>(maximumCost: 100)
        cache.store(7, cost: 1, for: "a")
        #expect(cache.remove("a") == 7)
        #expect(cache.remove("a") == nil)
        #expect(cache.totalCost == 0)
    }

    @Test("a store that exceeds a limit evicts at once (B5, B6)")
    func limits() {
        let cache = MemoryCache<Int>(maximumCost: 10, maximumCount: 2)
        for (number, key) in ["a", "b", "c"].enumerated() { cache.store(number, cost: 1, for: CacheKey(key)) }
        #expect(cache.count == 2)
        #expect(cache.value(for: "a") == nil)
        cache.store(9, cost: 10, for: "d")
        #expect(cache.count == 1)
        #expect(cache.totalCost == 10)
    }

    @Test("lowering a limit evicts at once, raising it evicts nothing (B7) (X075)")
    func lowering() {
        let cache = MemoryCache<Int>(maximumCost: 10)
        for number in 0..<5 { cache.store(number, cost: 2, for: CacheKey("\(number)")) }
        cache.maximumCost = 4
        #expect(cache.count == 2)
        #expect(cache.value(for: "4") == 4)
        cache.maximumCount = 1
        #expect(cache.count == 1)
        cache.maximumCost = 1_000
        #expect(cache.count == 1)
        #expect(cache.maximumCost == 1_000)
        #expect(cache.maximumCount == 1)
    }

    @Test("a trim removes values down to a cost, or all of them (B8)")
    func trim() {
        let cache = MemoryCache<Int>(maximumCost: 10)
        for number in 0..<5 { cache.store(number, cost: number == 0 ? 0 : 2, for: CacheKey("\(number)")) }
        cache.trim(toCost: 4)
        #expect(cache.totalCost == 4)
        cache.trim(toCost: 0)
        #expect(cache.count == 0)
    }

    @Test("removeAll also removes values without cost")
    func removeAll() {
        let cache = MemoryCache<Int>(maximumCost: 10)
        cache.store(1, cost: 0, for: "a")
        cache.store(2, cost: 3, for: "b")
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(cache.totalCost == 0)
    }
}
