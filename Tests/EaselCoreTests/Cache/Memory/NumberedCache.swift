import Synchronization

@testable import EaselCore

/// A cache of numbers with numbered keys.
struct NumberedCache {
    let cache: MemoryCache<Int>

    init(_ policy: EvictionPolicy, cost: Int, count: Int = .max, entryShare: Double = 1) {
        var configuration = MemoryCache<Int>.Configuration(maximumCost: cost, maximumCount: count)
        configuration.policy = policy
        configuration.maximumEntryShare = entryShare
        cache = MemoryCache(configuration)
    }

    /// Creates a full cache of keys 0 ..< count, each with its own value at a cost of 1.
    init(full count: Int, _ policy: EvictionPolicy) {
        self.init(policy, cost: 100, count: count)
        for key in 0..<count { store(key, for: key) }
    }

    private static let firstKeys = (0..<100).map { CacheKey("\($0)", fileExtension: "") }

    static func key(_ number: Int) -> CacheKey {
        number < firstKeys.count ? firstKeys[number] : CacheKey("\(number)", fileExtension: "")
    }

    func value(for key: Int) -> Int? { cache.value(for: Self.key(key)) }

    func contains(_ key: Int) -> Bool { cache.contains(Self.key(key)) }

    func store(_ value: Int, cost: Int = 1, for key: Int) { cache.store(value, cost: cost, for: Self.key(key)) }

    @discardableResult
    func remove(_ key: Int) -> Int? { cache.remove(Self.key(key)) }

    /// The stored keys among the first hundred.
    var keys: [Int] { Self.firstKeys.indices.filter(contains) }
}

extension MemoryCache {
    /// The value for a text, which counts as a use, with its cost.
    subscript(key: String) -> (Value, cost: Int)? {
        let digest = CacheKey(key).digest
        return value(for: CacheKey(key)).map { ($0, cost: state.withLock { $0.entries.cost(of: digest) } ?? 0) }
    }
}
