import Testing

@testable import EaselCore

@Suite("Memory cache: trimming")
struct MemoryCacheTrimTests {
    private func makeFilledCache(count: Int, cost: Int = 10) -> MemoryCache<Int> {
        let cache = MemoryCache<Int>(maximumCost: 1_000)
        for number in 0..<count { cache.store(number, cost: cost, for: CacheKey("\(number)")) }
        return cache
    }

    @Test("memory pressure keeps a share according to its level (B14, S179)", arguments: MemoryPressure.allCases)
    func pressure(pressure: MemoryPressure) {
        let cache = makeFilledCache(count: 8)
        cache.trim(for: pressure)
        let expected = [MemoryPressure.background: 4, .warning: 2, .critical: 0]
        #expect(cache.count == expected[pressure])
        #expect(cache.totalCost == cache.count * 10)
    }

    @Test("memory pressure also removes values without cost (B14)")
    func free() {
        let cache = makeFilledCache(count: 8, cost: 0)
        cache.trim(for: .warning)
        #expect(cache.count == 2)
    }

    @Test("a trim removes values down to a count (B8)")
    func count() {
        let cache = makeFilledCache(count: 8)
        cache.trim(toCount: 3)
        #expect(cache.count == 3)
        cache.trim(toCount: 5)
        #expect(cache.count == 3)
        cache.trim(toCount: -1)
        #expect(cache.count == 0)
    }

    @Test("removeAll is not an eviction, a trim is")
    func statistics() {
        let cache = makeFilledCache(count: 8)
        cache.trim(toCost: 50)
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(cache.statistics.evictions == 3)
    }

    @Test("the maximum share of one value can be changed, and is clamped to 0 through 1 (B4)")
    func entryShare() {
        let cache = makeFilledCache(count: 1)
        cache.maximumEntryShare = 0.001
        cache.store(9, cost: 2, for: "costly")
        #expect(cache.count == 1)
        cache.maximumEntryShare = 2
        #expect(cache.maximumEntryShare == 1)
        cache.store(9, cost: 1_000, for: "costly")
        #expect(cache.count == 1)
        cache.maximumEntryShare = -1
        #expect(cache.maximumEntryShare == 0)
    }
}
