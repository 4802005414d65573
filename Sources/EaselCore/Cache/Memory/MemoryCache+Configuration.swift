extension MemoryCache {
    /// How much a cache keeps, which values go first, and when they expire.
    public struct Configuration: Sendable {
        /// The most that the costs may sum up to, in the unit of the costs that are given. 0 disables the cache (B6).
        public var maximumCost: Int
        /// The most values; no limit by default. 0 disables the cache (B5).
        public var maximumCount: Int
        /// The most that a single value may take of `maximumCost`, from 0 to 1 (the default); what is outside counts as
        /// the nearer of them. With 0 nothing is stored (B4).
        public var maximumEntryShare: Double = 1
        /// Which values go first.
        public var policy: Policy = .s3FIFO
        /// How long a value can be read after it was stored (B10); `nil`, the default, is for ever.
        public var lifetime: Duration?
        /// Whether a read starts the lifetime anew. Off by default.
        public var extendsLifetimeOnUse = false
        /// How often what has expired is removed though nobody reads it (B11): every minute. Until then it takes room.
        public var cleaningInterval: Duration = .seconds(60)
        private(set) var clock = LifetimeClock(ContinuousClock())

        /// A configuration with these limits and the defaults for all else.
        public init(maximumCost: Int, maximumCount: Int = .max) {
            self.maximumCost = maximumCost
            self.maximumCount = maximumCount
        }

        /// Lets values expire on another clock than the system's.
        public mutating func use(_ clock: some Clock<Duration>) {
            self.clock = LifetimeClock(clock)
        }

        var limits: MemoryLimits {
            MemoryLimits(cost: maximumCost, count: maximumCount, entryShare: maximumEntryShare)
        }
    }
}

/// A clock of any kind, as the time since it was taken into use.
struct LifetimeClock: Sendable {
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}
