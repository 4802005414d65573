/// What a cache in memory has done since it was made. Counts, which wrap round.
public struct MemoryCacheStatistics: Sendable, Hashable {
    /// Reads that found a value in the cache itself.
    public internal(set) var hits = 0
    /// Reads that found a value only because somebody else still held it after its eviction.
    public internal(set) var weakHits = 0
    /// Reads that found nothing.
    public internal(set) var misses = 0
    /// Values stored, in place of others too; without those that were refused and those that came back by a weak hit.
    public internal(set) var insertions = 0
    /// Values that went to keep a limit, or to trim; not those that were removed or overwritten, or that expired.
    public internal(set) var evictions = 0
    /// Values that were removed because their lifetime was over.
    public internal(set) var expirations = 0

    /// The share of reads that found a value, from 0 to 1; 0 before the first read.
    public var hitRatio: Double {
        let found = Double(hits &+ weakHits)
        let reads = found + Double(misses)
        return reads > 0 ? found / reads : 0
    }
}
