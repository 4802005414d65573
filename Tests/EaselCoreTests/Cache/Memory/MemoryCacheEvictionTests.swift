import Testing

@testable import EaselCore

@Suite("Memory cache: eviction with both policies")
struct MemoryCacheEvictionTests {
    /// Returns a cache of cost 10 with keys 0, 1 and 2 at a cost of 3 each.
    private func makeCacheOfThree(_ policy: EvictionPolicy) -> NumberedCache {
        let cache = NumberedCache(policy, cost: 10)
        for key in 0..<3 { cache.store(key, cost: 3, for: key) }
        return cache
    }

    @Test("overwriting replaces the entry and its cost (B2, B12)", arguments: EvictionPolicy.allCases)
    func overwriting(policy: EvictionPolicy) {
        let cache = NumberedCache(policy, cost: 100)
        cache.store(1, cost: 30, for: 1)
        cache.store(2, cost: 5, for: 1)
        #expect(cache.cache.count == 1)
        #expect(cache.cache.totalCost == 5)
        #expect(cache.cache["1"]?.cost == 5)
        #expect(cache.value(for: 1) == 2)
    }

    @Test("an entry that grows evicts others, not itself", arguments: EvictionPolicy.allCases)
    func growing(policy: EvictionPolicy) {
        let cache = makeCacheOfThree(policy)
        cache.store(9, cost: 8, for: 0)
        #expect(cache.keys == [0])
        #expect(cache.value(for: 0) == 9)
        #expect(cache.cache.totalCost == 8)
    }

    @Test(
        "an entry that costs more than the cache is not stored and evicts nothing (B3)",
        arguments: EvictionPolicy.allCases)
    func tooCostly(policy: EvictionPolicy) {
        let cache = makeCacheOfThree(policy)
        cache.store(3, cost: 11, for: 3)
        #expect(cache.keys == [0, 1, 2])
        #expect(cache.cache.totalCost == 9)
        #expect(cache.cache.statistics.insertions == 3)
    }

    @Test(
        "an entry that costs too much removes the old value of its key",
        arguments: EvictionPolicy.allCases)
    func tooCostlyReplacement(policy: EvictionPolicy) {
        let cache = makeCacheOfThree(policy)
        cache.store(9, cost: 11, for: 1)
        #expect(cache.keys == [0, 2])
        #expect(cache.cache.totalCost == 6)
    }

    @Test("an entry can cost at most its share of the cache (B3)")
    func entryShare() {
        let cache = NumberedCache(.s3FIFO, cost: 100, entryShare: 0.1)
        cache.store(0, cost: 10, for: 0)
        cache.store(1, cost: 11, for: 1)
        #expect(cache.keys == [0])
    }

    @Test(
        "the share of an entry is clamped to 0 through 1; 0 stores nothing (B4)",
        arguments: [
            (-1.0, false), (0, false), (.nan, false), (-.infinity, false), (1, true), (7, true), (.infinity, true),
        ])
    func clampedShare(share: Double, stores: Bool) {
        let cache = NumberedCache(.s3FIFO, cost: .max, entryShare: share)
        cache.store(0, cost: 0, for: 0)
        cache.store(1, cost: .max, for: 1)
        #expect(cache.keys == (stores ? [0, 1] : []))
    }

    @Test(
        "a limit of zero empties and disables the cache (B5, B6)",
        arguments: EvictionPolicy.allCases, [(0, 10), (10, 0), (-5, 10), (10, -5)])
    func disabled(policy: EvictionPolicy, limits: (cost: Int, count: Int)) {
        let cache = NumberedCache(full: 3, policy)
        cache.cache.maximumCost = limits.cost
        cache.cache.maximumCount = limits.count
        #expect(cache.cache.count == 0)
        #expect(cache.cache.totalCost == 0)
        cache.store(7, cost: 0, for: 7)
        #expect(cache.keys == [])
        #expect(cache.cache.count == 0)
    }

    @Test("huge and negative costs do not overflow (B4)", arguments: EvictionPolicy.allCases)
    func hugeCosts(policy: EvictionPolicy) {
        let cache = NumberedCache(policy, cost: .max)
        let steps: [(key: Int, cost: Int, left: [Int])] = [
            (1, .max, [1]), (2, .max, [2]), (3, .max - 1, [3]), (4, 1, [3, 4]), (5, .min, [3, 4, 5]),
        ]
        for step in steps {
            cache.store(step.key, cost: step.cost, for: step.key)
            #expect(cache.keys == step.left)
        }
        #expect(cache.cache.totalCost == .max)
    }

    @Test("a trim to zero removes all entries, to the current cost none (B8)", arguments: EvictionPolicy.allCases)
    func trim(policy: EvictionPolicy) {
        let cache = NumberedCache(full: 4, policy)
        cache.cache.trim(toCost: 4)
        #expect(cache.keys == [0, 1, 2, 3])
        cache.cache.trim(toCost: 2)
        #expect(cache.keys == [2, 3])
        cache.cache.trim(toCount: 1)
        #expect(cache.keys == [3])
        cache.cache.trim(toCost: 0)
        #expect(cache.cache.count == 0 && cache.cache.totalCost == 0)
        #expect(cache.cache.statistics.evictions == 4)
    }

    @Test("read or overwritten entries are evicted after others (B9)", arguments: EvictionPolicy.allCases)
    func usesCount(policy: EvictionPolicy) {
        let cache = NumberedCache(full: 4, policy)
        #expect(cache.value(for: 0) == 0)
        cache.store(10, for: 1)
        cache.store(4, for: 4)
        #expect(cache.keys == [0, 1, 3, 4])
        cache.store(5, for: 5)
        #expect(cache.keys == [0, 1, 4, 5])
    }

    @Test("contains is not a use and changes no statistics")
    func contains() {
        let cache = NumberedCache(full: 2, .leastRecentlyUsed)
        #expect(cache.contains(0))
        #expect(!cache.contains(9))
        cache.store(2, for: 2)
        #expect(cache.keys == [1, 2])
        #expect(cache.cache.statistics.hits == 0)
        #expect(cache.cache.statistics.misses == 0)
    }

    @Test("statistics count hits, misses, insertions and evictions")
    func statistics() {
        let cache = NumberedCache(full: 2, .s3FIFO)
        for key in 0..<3 { _ = cache.value(for: key) }
        cache.store(2, for: 2)
        cache.remove(2)
        let statistics = cache.cache.statistics
        #expect(statistics.hits == 2)
        #expect(statistics.misses == 1)
        #expect(statistics.insertions == 3)
        #expect(statistics.evictions == 1)
        #expect(statistics.hitRatio == 2.0 / 3)
        #expect(MemoryCacheStatistics().hitRatio == 0)
    }
}

@Suite("Memory cache: least recently used eviction")
struct LeastRecentlyUsedTests {
    @Test("entries are evicted in the order of use (B9)")
    func order() {
        let cache = NumberedCache(full: 4, .leastRecentlyUsed)
        for key in [2, 0, 3, 1] { _ = cache.value(for: key) }
        for left in [[0, 1, 3], [1, 3], [1], []] {
            cache.cache.trim(toCount: left.count)
            #expect(cache.keys == left)
        }
    }

    @Test("a lowered limit evicts at once, in order (B7)")
    func limits() {
        let cache = NumberedCache(full: 5, .leastRecentlyUsed)
        cache.cache.maximumCount = 3
        #expect(cache.keys == [2, 3, 4])
        cache.cache.maximumCost = 1
        #expect(cache.keys == [4])
    }
}

@Suite("Memory cache: S3-FIFO eviction")
struct S3FIFOTests {
    /// Returns a cache of ten entries, with keys 0 to 6 used once.
    private func makeCacheOfSeven() -> NumberedCache {
        let cache = NumberedCache(.s3FIFO, cost: 100, count: 10)
        for key in 0..<7 {
            cache.store(key, for: key)
            _ = cache.value(for: key)
        }
        return cache
    }

    @Test("entries used once do not evict those used again")
    func scan() {
        let cache = makeCacheOfSeven()
        for key in 20..<80 { cache.store(key, for: key) }
        #expect(cache.keys == [0, 1, 2, 3, 4, 5, 6, 77, 78, 79])
    }

    @Test("entries in the main queue that are no longer used are evicted")
    func aging() {
        let cache = makeCacheOfSeven()
        for key in 20..<80 {
            cache.store(key, for: key)
            _ = cache.value(for: key)
        }
        #expect(cache.keys.count == 10)
        #expect(cache.keys.allSatisfy { $0 >= 20 })
    }

    @Test("an entry stored again soon after its eviction enters the main queue")
    func ghost() {
        let cache = NumberedCache(full: 10, .s3FIFO)
        cache.store(10, for: 10)
        #expect(!cache.contains(0))
        cache.store(0, for: 0)
        for key in 20..<80 { cache.store(key, for: key) }
        #expect(cache.contains(0))
        #expect(!cache.contains(10))
    }

    @Test("an entry stored again after three times the cache was evicted is new")
    func lateGhost() {
        let cache = NumberedCache(full: 10, .s3FIFO)
        for key in 10..<41 { cache.store(key, for: key) }
        cache.store(0, for: 0)
        for key in 50..<60 { cache.store(key, for: key) }
        #expect(!cache.contains(0))
    }

    @Test("the small queue has three tenths of the cost")
    func smallQueue() {
        let cache = NumberedCache(.s3FIFO, cost: 100)
        for key in 0..<10 {
            cache.store(key, cost: 10, for: key)
            _ = cache.value(for: key)
        }
        // All are promoted at the first eviction. After that there is room for three new ones.
        for key in 10..<20 { cache.store(key, cost: 10, for: key) }
        #expect(cache.keys.filter { $0 >= 10 } == [17, 18, 19])
    }
}
