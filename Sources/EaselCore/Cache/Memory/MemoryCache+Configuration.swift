/// Which values a full memory cache evicts first.
public enum EvictionPolicy: Sendable, Hashable, CaseIterable {
    /// S3-FIFO by cost: values that are used again outlive those that are seen once. The default.
    case s3FIFO
    /// The value that was not used for the longest time.
    case leastRecentlyUsed
}

extension MemoryCache {
    /// The limits of a cache, its eviction policy, and the lifetime of its values.
    public typealias Configuration = MemoryCacheConfiguration
}

/// The limits of a memory cache, its eviction policy, and the lifetime of its values.
public struct MemoryCacheConfiguration: Sendable {
    /// The largest sum of costs, in the unit of the costs that are given. 0 disables the cache.
    public var maximumCost: Int
    /// The largest number of values; no limit by default. 0 disables the cache.
    public var maximumCount: Int
    /// The largest share of `maximumCost` for a single value, clamped to 0...1; 1 by default. With 0 nothing is stored.
    public var maximumEntryShare: Double = 1
    /// Which values are evicted first.
    public var policy = EvictionPolicy.s3FIFO
    /// How long a value can be read after it was stored; `nil`, the default, means forever.
    public var lifetime: Duration?
    /// Whether a read starts the lifetime again. Off by default.
    public var extendsLifetimeOnUse = false
    /// How often expired values that are not read are removed: every minute. Until then they take room.
    public var cleaningInterval: Duration = .seconds(60)
    var clock = LoadClock(ContinuousClock())

    /// Creates a configuration with these limits and the defaults for everything else.
    public init(maximumCost: Int, maximumCount: Int = .max) {
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

/// What a memory cache has done so far. The counts wrap round.
public struct MemoryCacheStatistics: Sendable, Hashable {
    /// Reads that found a value in the cache itself.
    public internal(set) var hits = 0
    /// Reads that found an evicted value because something else still held it.
    public internal(set) var weakHits = 0
    /// Reads that found nothing.
    public internal(set) var misses = 0
    /// Values stored, including replacements; without those that were refused and those that a weak hit stored again.
    public internal(set) var insertions = 0
    /// Values evicted to keep a limit or to trim; not those that were removed, replaced or expired.
    public internal(set) var evictions = 0

    /// The share of reads that found a value, from 0 to 1; 0 before the first read.
    public var hitRatio: Double {
        let found = Double(hits &+ weakHits)
        let reads = found + Double(misses)
        return reads > 0 ? found / reads : 0
    }
}
