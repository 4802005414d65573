import EaselTesting
import Testing

@testable import EaselCore

@Suite("Memory cache: compared with a naive model")
struct MemoryCacheModelTests {
    @Test(
        "random operations have the same results in the cache and the model",
        arguments: EvictionPolicy.allCases, 1...8)
    func random(policy: EvictionPolicy, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let cache = NumberedCache(policy, cost: 60, count: 8)
        var model = EvictionModel(policy: policy, cost: 60, count: 8)
        for step in 0..<1_000 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9:
                let cost = Int.random(in: -2...70, using: &random) / Int.random(in: 1...8, using: &random)
                cache.store(step, cost: cost, for: key)
                model.store(step, cost: cost, for: key)
            case 9..<15:
                #expect(cache.value(for: key) == model.value(for: key))
            case 15..<18:
                #expect(cache.remove(key) == model.remove(key))
            case 18:
                let cost = Int.random(in: 0...60, using: &random)
                cache.cache.trim(toCost: cost)
                model.trim(cost: cost, count: cost > 0 ? .max : 0)
            default:
                cache.cache.maximumCost = Int.random(in: 0...80, using: &random)
                model.setLimits(cost: cache.cache.maximumCost, count: model.maximumCount)
                cache.cache.maximumCount = Int.random(in: 0...10, using: &random)
                model.setLimits(cost: model.maximumCost, count: cache.cache.maximumCount)
            }
            #expect((0..<20).filter(cache.contains) == model.keys)
            #expect(cache.cache.count == model.count)
            #expect(cache.cache.totalCost == model.totalCost)
        }
    }

    @Test("a large cache returns what was stored during growth and eviction", arguments: EvictionPolicy.allCases)
    func large(policy: EvictionPolicy) {
        var random = SeededGenerator(seed: 7)
        let cache = NumberedCache(policy, cost: .max, count: 1_500)
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
        }
        #expect(cache.cache.totalCost == cache.cache.count)
        let isCorrect = stored.allSatisfy { key, value in cache.value(for: key).map { $0 == value } ?? true }
        #expect(isCorrect)
        #expect(cache.cache.statistics.misses == stored.count - cache.cache.count)
    }
}

/// Both policies implemented with plain arrays.
private struct EvictionModel {
    struct Entry {
        var key: Int
        var value: Int
        var cost: Int
        var isUsed = false
    }

    let policy: EvictionPolicy
    var maximumCost: Int
    var maximumCount: Int
    /// Oldest first. With "least recently used" all entries are in the main queue.
    private var small: [Entry] = []
    private var main: [Entry] = []
    /// The keys of recent evictions from the small queue, or `nil` for a key that was stored again.
    private var ghosts: [Int?] = []

    init(policy: EvictionPolicy, cost: Int, count: Int) {
        self.policy = policy
        maximumCost = cost
        maximumCount = count
    }

    var count: Int { small.count + main.count }
    var totalCost: Int { (small + main).reduce(0) { $0 + $1.cost } }
    var keys: [Int] { (small + main).map(\.key).sorted() }

    mutating func value(for key: Int) -> Int? {
        if let index = small.firstIndex(where: { $0.key == key }) {
            small[index].isUsed = true
            return small[index].value
        }
        guard let index = main.firstIndex(where: { $0.key == key }) else { return nil }
        main[index].isUsed = true
        if policy == .leastRecentlyUsed { main.append(main.remove(at: index)) }
        return main.first { $0.key == key }?.value
    }

    mutating func remove(_ key: Int) -> Int? {
        if let index = small.firstIndex(where: { $0.key == key }) { return small.remove(at: index).value }
        return main.firstIndex { $0.key == key }.map { main.remove(at: $0).value }
    }

    mutating func store(_ value: Int, cost: Int, for key: Int) {
        let wasSmall = small.contains { $0.key == key }
        let isReplacement = remove(key) != nil
        let cost = max(0, cost)
        guard cost <= maximumCost, maximumCost > 0, maximumCount > 0 else { return }
        let isSmall = isReplacement ? wasSmall : policy == .s3FIFO && !takeGhost(key)
        evict(cost: maximumCost - cost, count: maximumCount - 1, isStoring: true)
        let entry = Entry(key: key, value: value, cost: cost, isUsed: isReplacement)
        if isSmall { small.append(entry) } else { main.append(entry) }
    }

    mutating func trim(cost: Int, count: Int) {
        evict(cost: cost, count: count, isStoring: false)
        if self.count == 0 { ghosts = [] }
    }

    mutating func setLimits(cost: Int, count: Int) {
        (maximumCost, maximumCount) = (cost, count)
        trim(cost: cost, count: cost == 0 ? 0 : count)
    }

    private mutating func evict(cost: Int, count: Int, isStoring: Bool) {
        while totalCost > cost || self.count > count {
            let smallCost = small.reduce(0) { $0 + $1.cost }
            let isSmallOver = Double(smallCost) > 0.3 * Double(cost) || Double(small.count) > 0.3 * Double(count)
            let isFromSmall = main.isEmpty || isSmallOver
            var entry = isFromSmall ? small.removeFirst() : main.removeFirst()
            if entry.isUsed, policy == .s3FIFO {
                entry.isUsed = false
                main.append(entry)
            } else if isFromSmall {
                // Up to three times the number of entries, including the one being stored.
                ghosts = (ghosts + [entry.key]).suffix(3 * (self.count + (isStoring ? 1 : 0)))
            }
        }
    }

    private mutating func takeGhost(_ key: Int) -> Bool {
        guard ghosts.contains(key) else { return false }
        ghosts = ghosts.map { $0 == key ? nil : $0 }
        return true
    }
}
