import EaselTesting
import Testing

@testable import EaselCore

@Suite("Memory cache: lifetimes", .timeLimit(.minutes(1)))
struct MemoryCacheLifetimeTests {
    private let clock = ManualClock()

    private func cache(
        lifetime: Duration?, cleaningInterval: Duration = .seconds(1_000)
    ) -> MemoryCache<Int> {
        var configuration = MemoryCache<Int>.Configuration(maximumCost: 100)
        configuration.lifetime = lifetime
        configuration.cleaningInterval = cleaningInterval
        configuration.clock = LoadClock(clock)
        return MemoryCache(configuration)
    }

    @Test("an expired value is not returned, and a read removes it (B10)")
    func expired() {
        let cache = cache(lifetime: .seconds(10))
        cache.store(7, cost: 3, for: "a")
        clock.advance(by: .seconds(9))
        #expect(cache.value(for: "a") == 7)
        clock.advance(by: .seconds(1))
        #expect(!cache.contains("a"))
        #expect(cache.value(for: "a") == nil)
        #expect(cache.totalCost == 0)
        #expect(cache.statistics.misses == 1)
    }

    @Test("without a lifetime no value expires (B10)")
    func withoutLifetime() {
        let cache = cache(lifetime: nil)
        cache.store(7, cost: 3, for: "a")
        clock.advance(by: .seconds(10_000 * 86_400))
        #expect(cache.value(for: "a") == 7)
    }

    @Test("the lifetime of a value overrides that of the cache (B10)")
    func lifetimeOfValue() {
        let cache = cache(lifetime: .seconds(10))
        cache.store(1, cost: 1, for: "short", lifetime: .seconds(2))
        cache.store(2, cost: 1, for: "long", lifetime: .seconds(20))
        cache.store(3, cost: 1, for: "ever", lifetime: .seconds(Int.max))
        cache.store(4, cost: 1, for: "usual")
        clock.advance(by: .seconds(5))
        #expect(["short", "usual", "long", "ever"].map { cache.value(for: CacheKey($0)) } == [nil, 4, 2, 3])
        clock.advance(by: .seconds(8))
        #expect(["short", "usual", "long", "ever"].map { cache.value(for: CacheKey($0)) } == [nil, nil, 2, 3])
    }

    @Test("a value with a lifetime expires in a cache without one")
    func only() {
        let cache = cache(lifetime: nil)
        cache.store(1, cost: 1, for: "ever")
        cache.store(2, cost: 1, for: "short", lifetime: .seconds(1))
        clock.advance(by: .seconds(2))
        #expect(cache.value(for: "ever") == 1)
        #expect(cache.value(for: "short") == nil)
    }

    @Test("a read does not renew the lifetime (B10)")
    func reading() {
        let cache = cache(lifetime: .seconds(10))
        cache.store(7, cost: 1, for: "a")
        clock.advance(by: .seconds(8))
        #expect(cache.value(for: "a") == 7)
        clock.advance(by: .seconds(8))
        #expect(cache.value(for: "a") == nil)
    }

    @Test("overwriting restarts the lifetime, or replaces it")
    func overwriting() {
        let cache = cache(lifetime: .seconds(10))
        for key in ["a", "b"] as [CacheKey] { cache.store(1, cost: 1, for: key) }
        clock.advance(by: .seconds(8))
        cache.store(2, cost: 1, for: "a")
        cache.store(2, cost: 1, for: "b", lifetime: .seconds(1_000))
        clock.advance(by: .seconds(8))
        #expect(cache.value(for: "a") == 2)
        clock.advance(by: .seconds(8))
        #expect(cache.value(for: "a") == nil)
        #expect(cache.value(for: "b") == 2)
    }

    @Test("a lifetime of zero or less only removes the old value", arguments: [Duration.zero, .seconds(-1)])
    func noLifetime(lifetime: Duration) {
        let cache = cache(lifetime: nil)
        cache.store(1, cost: 1, for: "a")
        cache.store(2, cost: 1, for: "a", lifetime: lifetime)
        #expect(cache.count == 0)
    }

    @Test("the longest lifetime does not overflow")
    func longest() {
        let cache = cache(lifetime: Duration(secondsComponent: .max, attosecondsComponent: 0))
        clock.advance(by: .seconds(1 * 86_400))
        cache.store(1, cost: 1, for: "a")
        clock.advance(by: .seconds(1 * 86_400))
        #expect(cache.value(for: "a") == 1)
    }

    @Test("expired values are removed without a read and no longer count (B11)")
    func cleaner() async {
        let cache = cache(lifetime: .seconds(10), cleaningInterval: .seconds(60))
        cache.store(1, cost: 3, for: "a")
        cache.store(2, cost: 5, for: "b", lifetime: .seconds(100))
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        // The cleaner sleeps again after a cleanup, because another value is pending.
        await clock.waitForSleepers()
        #expect(cache.count == 1)
        #expect(cache.totalCost == 5)
    }

    @Test("removeExpired removes only expired values")
    func removeExpired() {
        let cache = cache(lifetime: nil)
        for number in 0..<20 {
            cache.store(number, cost: 1, for: CacheKey("\(number)"), lifetime: .seconds(number + 1))
        }
        clock.advance(by: .seconds(10))
        cache.removeExpired()
        #expect(cache.count == 10)
        #expect(cache.totalCost == 10)
        #expect(cache.statistics.evictions == 0)
        #expect((0..<20).map { cache.contains(CacheKey("\($0)")) } == (0..<20).map { $0 >= 10 })
    }
}
