/// The counts of a manager since it was created.
public struct ManagerStatistics: Sendable, Hashable {
    /// The number of loads in progress.
    public var inFlight = 0
    /// The number of loads that found their image in memory.
    public var memoryHits = 0
    /// The number of loads that were answered from disk.
    public var diskHits = 0
    /// The number of loads that needed a server, a file, or the data in a URL.
    public var misses = 0
    /// The number of loads that joined the work of another load, at any level.
    public var coalesced = 0
    /// The number of loads that failed, without cancellations.
    public var failures = 0
    /// The number of loads that were cancelled.
    public var cancellations = 0
    /// The number of HTTP requests, including redirects and retries.
    public var requests = 0
    /// The number of bytes in complete bodies from servers. What an earlier attempt left does not count.
    public var bytesReceived = 0
    /// The number of files and images decoded, without previews.
    package var decodes = 0
    /// The number of transforms applied, without those of previews.
    package var transforms = 0
    /// The number of files and decoded images written to the disk cache.
    package var stores = 0
    /// The statistics of the memory cache, including evictions; `nil` if the cache has none.
    public var memory: MemoryCacheStatistics?

    package init() {}
}
