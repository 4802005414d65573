/// Which values go first from a cache in memory that is full.
public enum EvictionPolicy: Sendable, Hashable, CaseIterable {
    /// S3-FIFO by cost: values that are used again outlive those that are seen once. The default.
    case s3FIFO
    /// The value that was not used for the longest time.
    case leastRecentlyUsed
}

/// The entries in the order in which they go, by one of the policies.
///
/// Both orders are here and one stays empty: as cases of an enum they would be copied out and in at each change.
struct EvictionOrder {
    let policy: EvictionPolicy
    private var s3FIFO = S3FIFO()
    private var leastRecentlyUsed = LeastRecentlyUsed()

    init(_ policy: EvictionPolicy) { self.policy = policy }

    /// An entry that is in the order was read.
    @inline(__always)
    mutating func didUse(_ place: Int32, in arena: inout EntryArena) {
        switch policy {
        case .s3FIFO: s3FIFO.didUse(place, in: &arena)
        case .leastRecentlyUsed: leastRecentlyUsed.didUse(place, in: &arena)
        }
    }

    /// Adds a new entry.
    mutating func insert(_ place: Int32, in arena: inout EntryArena) {
        switch policy {
        case .s3FIFO: s3FIFO.insert(place, in: &arena)
        case .leastRecentlyUsed: leastRecentlyUsed.insert(place, in: &arena)
        }
    }

    /// Adds an entry again that `remove` took out and that has a new value, which counts as a use (B9).
    mutating func reinsert(_ place: Int32, in arena: inout EntryArena) {
        switch policy {
        case .s3FIFO: s3FIFO.reinsert(place, in: &arena)
        case .leastRecentlyUsed: leastRecentlyUsed.insert(place, in: &arena)
        }
    }

    /// Takes an entry out, whichever it is.
    mutating func remove(_ place: Int32, in arena: inout EntryArena) {
        switch policy {
        case .s3FIFO: s3FIFO.remove(place, in: &arena)
        case .leastRecentlyUsed: leastRecentlyUsed.remove(place, in: &arena)
        }
    }

    /// Takes out the entry that is to go, on the way down to `target`; `nil` where there is none.
    mutating func evict(towards target: EntryTarget, limits: MemoryLimits, in arena: inout EntryArena) -> Int32? {
        switch policy {
        case .s3FIFO: s3FIFO.evict(towards: target, limits: limits, in: &arena)
        case .leastRecentlyUsed: leastRecentlyUsed.evict(in: &arena)
        }
    }

    /// All places, or `nil` where the order is damaged. For tests.
    func places(in arena: EntryArena) -> [Int32]? {
        switch policy {
        case .s3FIFO: s3FIFO.places(in: arena)
        case .leastRecentlyUsed: leastRecentlyUsed.places(in: arena)
        }
    }
}
