/// Which values a full memory cache evicts first.
public enum EvictionPolicy: Sendable, Hashable, CaseIterable {
    /// S3-FIFO by cost: values that are used again outlive those that are seen once. The default.
    case s3FIFO
    /// The value that was not used for the longest time.
    case leastRecentlyUsed
}

extension MemoryCache {
    /// How much a cache keeps, which values it evicts first, and when they expire.
    public struct Configuration: Sendable {
        /// The largest sum of costs, in the unit of the costs that are given. 0 disables the cache.
        public var maximumCost: Int
        /// The largest number of values; no limit by default. 0 disables the cache.
        public var maximumCount: Int
        /// The largest share of `maximumCost` for a single value, clamped to 0...1; 1 by default. With 0 nothing is stored.
        public var maximumEntryShare: Double = 1
        /// Which values are evicted first.
        public var policy: Policy = .s3FIFO
        /// How long a value can be read after it was stored; `nil`, the default, is for ever.
        public var lifetime: Duration?
        /// Whether a read starts the lifetime anew. Off by default.
        public var extendsLifetimeOnUse = false
        /// How often expired values are removed that are not read: every minute. Until then they take room.
        public var cleaningInterval: Duration = .seconds(60)
        private(set) var clock = LoadClock(ContinuousClock())

        /// A configuration with these limits and the defaults for all else.
        public init(maximumCost: Int, maximumCount: Int = .max) {
            self.maximumCost = maximumCost
            self.maximumCount = maximumCount
        }

        /// Lets values expire on another clock than the system's.
        public mutating func use(_ clock: some Clock<Duration>) {
            self.clock = LoadClock(clock)
        }

        var limits: MemoryLimits {
            MemoryLimits(cost: maximumCost, count: maximumCount, entryShare: maximumEntryShare)
        }
    }
}

/// How much a memory cache may hold.
struct MemoryLimits: Sendable {
    let cost: Int
    let count: Int
    /// The largest share of `cost` for one entry, from 0 to 1.
    let entryShare: Double

    init(cost: Int, count: Int, entryShare: Double) {
        self.cost = max(0, cost)
        self.count = max(0, count)
        // NaN becomes 0.
        self.entryShare = entryShare > 0 ? min(entryShare, 1) : 0
    }

    /// Whether nothing at all may be stored.
    var isDisabled: Bool { cost == 0 || count == 0 }

    /// Whether an entry of this cost may be stored.
    func admits(cost: Int) -> Bool {
        guard !isDisabled, entryShare > 0 else { return false }
        // A share of 1 is not computed: the largest integers are no floating-point numbers.
        return cost <= (entryShare < 1 ? Int(Double(self.cost) * entryShare) : self.cost)
    }
}

/// What a memory cache has done since it was made. The counts wrap round.
public struct MemoryCacheStatistics: Sendable, Hashable {
    /// Reads that found a value in the cache itself.
    public internal(set) var hits = 0
    /// Reads that found a value only because something else still held it after its eviction.
    public internal(set) var weakHits = 0
    /// Reads that found nothing.
    public internal(set) var misses = 0
    /// Values stored, also in place of others; without those that were refused and those that a weak hit stored again.
    public internal(set) var insertions = 0
    /// Values evicted to keep a limit, or to trim; not those that were removed, overwritten or expired.
    public internal(set) var evictions = 0
    /// Values removed because their lifetime was over.
    public internal(set) var expirations = 0

    /// The share of reads that found a value, from 0 to 1; 0 before the first read.
    public var hitRatio: Double {
        let found = Double(hits &+ weakHits)
        let reads = found + Double(misses)
        return reads > 0 ? found / reads : 0
    }
}
