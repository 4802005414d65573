import EaselTesting
@testable import EaselCore

extension Digest {
    /// The digest of a numbered key.
    init(_ number: Int) {
        var random = SeededGenerator(seed: UInt64(number))
        self.init(high: random.next(), low: random.next())
    }
}

/// Entries with numbered keys, without time.
struct NumberedEntries<Value> {
    var entries: MemoryEntries<Value>

    init(_ policy: EvictionPolicy, cost: Int, count: Int = .max, entryShare: Double = 1) {
        entries = MemoryEntries(
            limits: MemoryLimits(cost: cost, count: count, entryShare: entryShare), policy: policy, hashSeed: 1)
    }

    /// As the cache does.
    mutating func value(for key: Int) -> Value? {
        if let value = entries.valueAtOnce(for: Digest(key), at: nil) { return value }
        var released = Released<Value>()
        return entries.value(for: Digest(key), at: nil, released: &released)
    }

    /// Looks without using.
    func contains(_ key: Int) -> Bool {
        var released = Released<Value>()
        return entries.contains(Digest(key), at: nil, released: &released)
    }

    /// Stores, and returns what left.
    @discardableResult
    mutating func store(_ value: Value, cost: Int = 1, for key: Int) -> [Value] {
        var released = Released<Value>()
        entries.store(value, cost: cost, for: Digest(key), released: &released)
        return released.values
    }

    @discardableResult
    mutating func remove(_ key: Int) -> Value? { entries.remove(Digest(key)) }

    mutating func trim(cost: Int = .max, count: Int = .max) -> [Value] {
        var released = Released<Value>()
        entries.trim(to: EntryTarget(cost: cost, count: count), released: &released)
        return released.values
    }

    mutating func setLimits(cost: Int, count: Int, entryShare: Double = 1) -> [Value] {
        var released = Released<Value>()
        entries.setLimits(MemoryLimits(cost: cost, count: count, entryShare: entryShare), released: &released)
        return released.values
    }

    /// The keys that are there, among the first hundred.
    var keys: [Int] { (0..<100).filter(contains) }
}

extension NumberedEntries<Int> {
    /// Keys 0 ..< count, each its own value at a cost of 1, as many as there is room for.
    init(full count: Int, _ policy: EvictionPolicy) {
        self.init(policy, cost: 100, count: count)
        for key in 0..<count { store(key, for: key) }
    }
}
