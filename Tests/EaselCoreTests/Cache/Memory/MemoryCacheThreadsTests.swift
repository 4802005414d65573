import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Memory cache: concurrency and deinitialization", .timeLimit(.minutes(1)))
struct MemoryCacheThreadsTests {
    /// Uses its cache when deinitialized. Inside the cache's lock this would deadlock.
    private final class Value: Sendable {
        private let cache: MemoryCache<Value>
        private let counter: Counter

        init(in cache: MemoryCache<Value>, counter: Counter) {
            self.cache = cache
            self.counter = counter
        }

        deinit {
            if cache.count >= 0 { counter.add() }
        }
    }

    @Test("values are released outside the lock, however they are removed")
    func release() {
        let cache = MemoryCache<Value>(maximumCost: 3)
        let counter = Counter()
        func store(_ key: CacheKey, cost: Int = 1) {
            cache.store(Value(in: cache, counter: counter), cost: cost, for: key)
        }
        let releaseCount = { counter.count }
        for key in ["a", "b", "c"] as [CacheKey] { store(key) }
        store("c")
        #expect(releaseCount() == 1, "overwritten")
        store("d")
        #expect(releaseCount() == 2, "evicted")
        store("e", cost: 9)
        #expect(releaseCount() == 3, "too costly")
        cache.remove("b")
        #expect(releaseCount() == 4, "removed")
        cache.maximumCost = 1
        #expect(releaseCount() == 5, "limit of cost")
        cache.maximumCount = 0
        #expect(releaseCount() == 6, "limit of number")
        cache.maximumCount = 10
        store("f")
        cache.trim(toCost: 0)
        #expect(releaseCount() == 7, "trimmed")
        store("g")
        cache.removeAll()
        #expect(releaseCount() == 8, "all removed")
        cache.store(Value(in: cache, counter: counter), cost: 1, for: "h")
        cache.remove("h")
        #expect(releaseCount() == 9, "set to nothing")
    }

    @Test("concurrent use keeps cost and count exact (B18, S115)")
    func concurrent() async {
        let cache = MemoryCache<Int>(maximumCost: 50, maximumCount: 20)
        await withTaskGroup { group in
            for seed in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(seed))
                    for step in 0..<2_000 {
                        let key = CacheKey("\(Int.random(in: 0..<40, using: &random))", fileExtension: "")
                        switch step % 4 {
                        case 0, 1: cache.store(step, cost: Int.random(in: 0...9, using: &random), for: key)
                        case 2: _ = cache.value(for: key)
                        default: cache.remove(key)
                        }
                    }
                }
            }
        }
        #expect(cache.totalCost <= 50)
        #expect(cache.count <= 20)
        let costs = (0..<40).compactMap { cache["\($0)"]?.cost }
        #expect(costs.count == cache.count)
        #expect(costs.reduce(0, +) == cache.totalCost)
    }
}
