/// What a manager has done since it was made, and what it is doing.
///
/// Each count is exact; read while loads run, they are of slightly different moments.
public struct ManagerStatistics: Sendable, Hashable {
    /// Loads under way.
    public var inFlight = 0
    /// Loads that found their picture in memory.
    public var memoryHits = 0
    /// Loads that were made from what the disk has.
    public var diskHits = 0
    /// Loads for which a server, a file or a URL's own data had to be read.
    public var misses = 0
    /// Loads that joined the work of another, of whatever level.
    public var coalesced = 0
    /// Loads that failed, without those that were cancelled.
    public var failures = 0
    /// Loads that were cancelled.
    public var cancellations = 0
    /// HTTP requests sent, redirects and retries included.
    public var requests = 0
    /// Bytes of bodies that came whole from servers; what was left by an earlier attempt does not count.
    public var bytesReceived = 0
    /// Files and pictures decoded, previews not counted.
    public var decodes = 0
    /// Transforms applied, those of previews not counted.
    public var transforms = 0
    /// Files and decoded pictures written to the cache on disk.
    public var stores = 0
    /// What the memory cache has done, evictions among it; `nil` where the cache does not say.
    public var memory: MemoryCacheStatistics?

    /// Loads that have ended, however.
    public var ended: Int { memoryHits + diskHits + misses + failures + cancellations }

    /// The share of pictures that came from a cache, from 0 to 1; 0 before the first.
    public var hitRatio: Double {
        let hits = memoryHits + diskHits
        return hits + misses > 0 ? Double(hits) / Double(hits + misses) : 0
    }

    /// Nothing yet.
    public init() {}
}
