import EaselTesting
import Synchronization
import Testing

@testable import EaselCore

@Suite("Memory cache: groups of values that can replace each other (B15)")
struct MemoryCacheGroupsTests {
    private typealias Held = HeldNumber

    private func numbers(_ cache: MemoryCache<Held>) -> [Int] {
        cache.values(inGroup: "group").map(\.object.number)
    }

    /// Returns the number of group members, which has no public API.
    private func memberCount<Value>(_ cache: MemoryCache<Value>) -> Int {
        cache.state.withLock { $0.entries.groups.groups.count }
    }

    @Test("values of a group are returned largest first, and a smaller one does not replace a larger one")
    func largestFirst() {
        let cache = MemoryCache<Int>(maximumCost: 1_000)
        cache.store(600, cost: 600, for: "large", group: "group")
        cache.store(100, cost: 100, for: "small", group: "group")
        cache.store(200, cost: 200, for: "middle", group: "group")
        #expect(cache.values(inGroup: "group") == [600, 200, 100])
        #expect(cache.value(for: "small") == 100)
    }

    @Test("values(inGroup:) is not a use; value(inGroup:) is")
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

    @Test("no value is returned from an empty group, or if the choice is nil or out of range")
    func nothing() {
        let cache = MemoryCache<Int>(maximumCost: 10)
        #expect(cache.value(inGroup: "group") { _ in 0 } == nil)
        cache.store(1, cost: 1, for: "a", group: "group")
        #expect(cache.value(inGroup: "group") { _ in nil } == nil)
        #expect(cache.value(inGroup: "group") { _ in 7 } == nil)
        #expect(cache.value(inGroup: "other") { _ in 0 } == nil)
    }

    @Test(
        "members of a group are sorted by descending cost, whatever the order of their stores",
        arguments: [[3, 6, 9], [9, 6, 3], [6, 9, 3]])
    func order(keys: [Int]) {
        let cache = GroupedCache(.leastRecentlyUsed)
        for key in keys { cache.store(key, cost: key, for: key) }
        cache.store(1, for: 1)
        #expect(cache.members(of: 0) == [9, 6, 3])
        #expect(cache.members(of: 1) == [1])
        #expect(cache.members(of: 2) == [])
    }

    @Test("an entry leaves its group when it is removed, evicted, or stored without the group")
    func leaving() {
        let cache = GroupedCache(.leastRecentlyUsed, count: 4)
        for key in [3, 6, 9, 12] { cache.store(key, for: key) }
        cache.cache.remove(6)
        #expect(Set(cache.members(of: 0)) == [3, 9, 12])
        cache.store(15, for: 15)
        cache.store(18, for: 18)
        #expect(Set(cache.members(of: 0)) == [9, 12, 15, 18])
        cache.store(9, for: 9, isGrouped: false)
        #expect(Set(cache.members(of: 0)) == [12, 15, 18])
        cache.cache.cache.removeAll()
        #expect(cache.members(of: 0) == [])
        #expect(memberCount(cache.cache.cache) == 0)
    }

    @Test("an overwritten member occurs once, at its new cost")
    func overwritten() {
        let cache = GroupedCache(.leastRecentlyUsed)
        cache.store(3, cost: 5, for: 3)
        cache.store(6, cost: 4, for: 6)
        cache.store(30, cost: 1, for: 3)
        #expect(cache.members(of: 0) == [6, 30])
    }

    @Test("an entry that costs too much is not a member")
    func refused() {
        let cache = GroupedCache(.leastRecentlyUsed, cost: 10)
        cache.store(3, cost: 11, for: 3)
        #expect(cache.members(of: 0) == [])
        #expect(memberCount(cache.cache.cache) == 0)
    }

    @Test(
        "random operations keep groups and entries consistent",
        arguments: EvictionPolicy.allCases, 1...6)
    func random(policy: EvictionPolicy, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let cache = GroupedCache(policy, cost: 60, count: 8)
        var grouped: Set<Int> = []
        for _ in 0..<1_000 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let isGrouped = Bool.random(using: &random)
                let cost = Int.random(in: 0...70, using: &random) / Int.random(in: 1...8, using: &random)
                cache.store(key, cost: cost, for: key, isGrouped: isGrouped)
                if isGrouped { grouped.insert(key) } else { grouped.remove(key) }
            case 5..<8: _ = cache.cache.value(for: key)
            case 8: cache.cache.remove(key)
            default: cache.cache.cache.trim(toCount: Int.random(in: 0...8, using: &random))
            }
            let expected = (0..<20).filter { grouped.contains($0) && cache.cache.contains($0) }
            #expect((0..<3).flatMap(cache.members).sorted() == expected)
            #expect(memberCount(cache.cache.cache) == expected.count)
        }
    }

    @Test("evicted members that are still referenced are found, largest first, and one that is chosen is stored again")
    func weak() {
        let cache = MemoryCache<Held>(keepingHeldValues: .init(maximumCost: 100))
        let objects = [Held(30), Held(50), Held(10)]
        for value in objects {
            cache.store(value, cost: value.object.number, for: CacheKey("\(value.object.number)"), group: "group")
        }
        cache.trim(toCost: 0)
        #expect(cache.count == 0)
        #expect(numbers(cache) == [50, 30, 10])
        #expect(cache.value(inGroup: "group") { _ in 1 }?.object === objects[0].object)
        #expect(cache.totalCost == 30)
        #expect(numbers(cache) == [50, 30, 10])
        withExtendedLifetime(objects) {}
    }

    @Test("an evicted member without references is not returned, and leaves the group at the next lookup")
    func releasedMember() {
        let cache = MemoryCache<Held>(keepingHeldValues: .init(maximumCost: 100))
        var object: Held? = Held(5)
        cache.store(object ?? Held(0), cost: 5, for: "a", group: "group")
        cache.store(Held(6), cost: 6, for: "b", group: "group")
        cache.trim(toCost: 0)
        #expect(numbers(cache) == [5])
        #expect(memberCount(cache) == 1)
        object = nil
        #expect(numbers(cache) == [])
        #expect(cache.value(for: "a") == nil)
        #expect(memberCount(cache) == 0)
        #expect(object == nil)
    }

    @Test("a member that costs too much to be stored is found while it is referenced")
    func tooCostly() {
        let cache = MemoryCache<Held>(keepingHeldValues: .init(maximumCost: 100))
        let object = Held(500)
        cache.store(object, cost: 500, for: "a", group: "group")
        #expect(numbers(cache) == [500])
        cache.remove("a")
        #expect(numbers(cache) == [])
    }

    @Test("members without references are removed, so that the index stays small")
    func bounded() {
        let cache = MemoryCache<Held>(keepingHeldValues: .init(maximumCost: 4))
        var objects: [Held] = []
        for number in 0..<5_000 {
            objects.append(Held(number))
            if objects.count > 10 { objects.removeFirst() }
            cache.store(
                objects[objects.count - 1], cost: 1, for: CacheKey("\(number)", fileExtension: ""),
                group: CacheKey("group \(number % 7)", fileExtension: ""))
        }
        #expect(memberCount(cache) <= 4 + 64)
    }

    @Test("a member has the lifetime of the cache configuration")
    func lifetime() {
        let clock = ManualClock()
        var configuration = MemoryCache<Int>.Configuration(maximumCost: 10)
        configuration.lifetime = .seconds(10)
        configuration.clock = LoadClock(clock)
        let cache = MemoryCache<Int>(configuration)
        cache.store(1, cost: 1, for: "a", group: "group")
        #expect(cache.values(inGroup: "group") == [1])
        clock.advance(by: .seconds(10))
        #expect(cache.values(inGroup: "group") == [])
        #expect(cache.value(for: "a") == nil)
        #expect(memberCount(cache) == 0)
    }
}

/// A cache that groups keys by their number modulo 3.
private struct GroupedCache {
    let cache: NumberedCache

    init(_ policy: EvictionPolicy, cost: Int = 100, count: Int = .max) {
        cache = NumberedCache(policy, cost: cost, count: count)
    }

    func store(_ value: Int, cost: Int = 1, for key: Int, isGrouped: Bool = true) {
        guard isGrouped else { return cache.store(value, cost: cost, for: key) }
        cache.cache.store(value, cost: cost, for: NumberedCache.key(key), group: CacheKey("group \(key % 3)"))
    }

    func members(of group: Int) -> [Int] { cache.cache.values(inGroup: CacheKey("group \(group)")) }
}
