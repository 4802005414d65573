/// The order in which a full memory cache evicts values.
public enum EvictionPolicy: Sendable, Hashable, CaseIterable {
    /// S3-FIFO by cost: values that are used again outlive those that are seen once. The default.
    case s3FIFO
    /// The least recently used value.
    case leastRecentlyUsed
}

extension MemoryCache {
    /// The limits of a cache, its eviction policy, and the lifetime of its values.
    package typealias Configuration = MemoryCacheConfiguration
}

/// The limits of a memory cache, its eviction policy, and the lifetime of its values.
package struct MemoryCacheConfiguration: Sendable {
    /// The largest sum of costs, in the caller's unit. 0 disables the cache.
    package var maximumCost: Int
    /// The largest number of values; no limit by default. 0 disables the cache.
    package var maximumCount: Int
    /// The largest share of `maximumCost` for a single value, clamped to 0...1; 1 by default. With 0 nothing is stored.
    package var maximumEntryShare: Double = 1
    /// The eviction policy.
    package var policy = EvictionPolicy.s3FIFO
    /// The time for which a value can be read after it was stored; `nil`, the default, means forever.
    package var lifetime: Duration?
    /// The interval at which expired values are removed: every minute. Until then they take room.
    package var cleaningInterval: Duration = .seconds(60)
    var clock = LoadClock(ContinuousClock())

    /// Creates a configuration with these limits and the defaults for everything else.
    package init(maximumCost: Int, maximumCount: Int = .max) {
        self.maximumCost = maximumCost
        self.maximumCount = maximumCount
    }

    /// Whether nothing may be stored.
    var isDisabled: Bool { maximumCost <= 0 || maximumCount <= 0 }

    /// `maximumEntryShare` from 0 to 1. NaN becomes 0.
    var entryShare: Double { maximumEntryShare > 0 ? min(maximumEntryShare, 1) : 0 }

    /// Returns whether an entry of this cost may be stored.
    func admits(cost: Int) -> Bool {
        guard !isDisabled, entryShare > 0 else { return false }
        // A share of 1 is not computed: a Double cannot represent the largest integers.
        return cost <= (entryShare < 1 ? Int(Double(maximumCost) * entryShare) : maximumCost)
    }
}

/// The statistics of a memory cache. The counts wrap around.
public struct MemoryCacheStatistics: Sendable, Hashable {
    /// The number of reads that found a value in the cache itself.
    public internal(set) var hits = 0
    /// The number of reads that found an evicted value because it was still referenced elsewhere.
    package internal(set) var weakHits = 0
    /// The number of reads that found nothing.
    public internal(set) var misses = 0
    /// The number of values stored, including replacements, but not those that were refused or that a weak hit stored
    /// again.
    package internal(set) var insertions = 0
    /// The number of values evicted to keep a limit or to trim, but not those that were removed, replaced or expired.
    public internal(set) var evictions = 0

    /// The share of reads that found a value, from 0 to 1; 0 before the first read.
    public var hitRatio: Double {
        let found = Double(hits &+ weakHits)
        let reads = found + Double(misses)
        return reads > 0 ? found / reads : 0
    }
}
