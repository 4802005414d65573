import EaselTesting
import Synchronization
import Testing

@testable import EaselCore

@Suite("Memory cache: groups of values that can stand for one another (B15)")
struct MemoryCacheGroupsTests {
    /// A value that is a reference and no more.
    private final class Object: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private struct Held: WeaklyCacheable {
        var object: Object
        init(_ number: Int) { object = Object(number) }

        mutating func weakReference() -> (@Sendable () -> Held?)? {
            guard !isKnownUniquelyReferenced(&object) else { return nil }
            return { [weak object] in
                object.map { object in
                    var held = Held(0)
                    held.object = object
                    return held
                }
            }
        }
    }

    private func numbers(_ cache: MemoryCache<Held>) -> [Int] {
        cache.values(inGroup: "group").map(\.object.number)
    }

    private func isConsistent(_ cache: MemoryCache<Held>) -> Bool {
        cache.state.withLock { $0.entries.isConsistent }
    }

    private func memberCount(_ cache: MemoryCache<Held>) -> Int {
        cache.state.withLock { $0.entries.groups.memberCount }
    }

    @Test("several sizes are given the largest first; a smaller one that comes after a larger one is kept")
    func largestFirst() {
        let cache = MemoryCache<Int>(maximumCost: 1_000)
        cache.store(600, cost: 600, for: "large", group: "group")
        cache.store(100, cost: 100, for: "small", group: "group")
        cache.store(200, cost: 200, for: "middle", group: "group")
        #expect(cache.values(inGroup: "group") == [600, 200, 100])
        #expect(cache.value(for: "small") == 100)
    }

    @Test("looking is no use and is not counted; choosing is")
    func use() {
        var configuration = MemoryCache<Int>.Configuration(maximumCost: 10, maximumCount: 2)
        configuration.policy = .leastRecentlyUsed
        let cache = MemoryCache<Int>(configuration)
        cache.store(1, cost: 2, for: "a", group: "group")
        cache.store(2, cost: 1, for: "b", group: "group")
        _ = cache.values(inGroup: "group")
        #expect(cache.statistics.hits == 0)
        #expect(cache.value(inGroup: "group") { $0.firstIndex(of: 1) } == 1)
        #expect(cache.statistics.hits == 1)
        cache.store(3, cost: 1, for: "c")
        #expect(cache.values(inGroup: "group") == [1])
    }

    @Test("nothing is chosen from a group that has nothing, nor where nothing fits")
    func nothing() {
        let cache = MemoryCache<Int>(maximumCost: 10)
        #expect(cache.value(inGroup: "group") { _ in 0 } == nil)
        cache.store(1, cost: 1, for: "a", group: "group")
        #expect(cache.value(inGroup: "group") { _ in nil } == nil)
        #expect(cache.value(inGroup: "group") { _ in 7 } == nil)
        #expect(cache.value(inGroup: "other") { _ in 0 } == nil)
    }

    @Test("several sizes that were evicted and are held are found, the largest first, and one of them comes back")
    func weak() {
        let cache = MemoryCache<Held>(keepingHeldValues: .init(maximumCost: 100))
        let held = [Held(30), Held(50), Held(10)]
        for value in held {
            cache.store(value, cost: value.object.number, for: CacheKey("\(value.object.number)"), group: "group")
        }
        cache.trim(toCost: 0)
        #expect(cache.count == 0)
        #expect(numbers(cache) == [50, 30, 10])
        #expect(cache.value(inGroup: "group") { _ in 1 }?.object === held[0].object)
        #expect(cache.totalCost == 30)
        #expect(numbers(cache) == [50, 30, 10])
        #expect(isConsistent(cache))
        withExtendedLifetime(held) {}
    }

    @Test("what nobody holds any more is not given, and leaves the group when it is met")
    func gone() {
        let cache = MemoryCache<Held>(keepingHeldValues: .init(maximumCost: 100))
        var held: Held? = Held(5)
        cache.store(held ?? Held(0), cost: 5, for: "a", group: "group")
        cache.store(Held(6), cost: 6, for: "b", group: "group")
        cache.trim(toCost: 0)
        #expect(numbers(cache) == [5])
        #expect(memberCount(cache) == 1)
        held = nil
        #expect(numbers(cache) == [])
        #expect(cache.value(for: "a") == nil)
        #expect(memberCount(cache) == 0)
        #expect(held == nil)
    }

    @Test("one that is too dear to be stored is a member for as long as somebody holds it")
    func dear() {
        let cache = MemoryCache<Held>(keepingHeldValues: .init(maximumCost: 100))
        let held = Held(500)
        cache.store(held, cost: 500, for: "a", group: "group")
        #expect(numbers(cache) == [500])
        cache.remove("a")
        #expect(numbers(cache) == [])
        #expect(isConsistent(cache))
    }

    @Test("members that died are forgotten, however many come: the index stays as small as what it lists")
    func bounded() {
        let cache = MemoryCache<Held>(keepingHeldValues: .init(maximumCost: 4))
        var held: [Held] = []
        for number in 0..<5_000 {
            held.append(Held(number))
            if held.count > 10 { held.removeFirst() }
            cache.store(
                held[held.count - 1], cost: 1, for: CacheKey("\(number)", fileExtension: ""),
                group: CacheKey("group \(number % 7)", fileExtension: ""))
        }
        #expect(memberCount(cache) <= 4 + 64)
        #expect(isConsistent(cache))
    }

    @Test("a member is stored for the lifetime that the cache was configured with")
    func lifetime() {
        let clock = ManualClock()
        var configuration = MemoryCache<Int>.Configuration(maximumCost: 10)
        configuration.lifetime = .seconds(10)
        configuration.use(clock)
        let cache = MemoryCache<Int>(configuration)
        cache.store(1, cost: 1, for: "a", group: "group")
        #expect(cache.values(inGroup: "group") == [1])
        clock.advance(by: .seconds(10))
        #expect(cache.values(inGroup: "group") == [])
    }
}
