/// Which keys were evicted lately, without their values: 8 bytes each, in a hash table of small buckets.
///
/// Nothing is ever taken out for being old: each ghost has the time of its eviction, on a clock that runs with what is
/// evicted, and one that is out of the window counts as gone. In a full bucket the oldest gives way. Two keys may look
/// alike (32 bits are kept of each) and a bucket may overflow: a ghost only ever decides which queue an entry starts in.
struct GhostTable {
    private struct Cell {
        /// 0 in a free cell.
        var tag: UInt32 = 0
        var time: UInt32 = 0
    }

    /// How far back the table remembers, in evictions of a whole cache.
    private static let window = 3
    private static let bucketSize = 8
    /// The unit of time: a whole cache takes 2^24, so that time wraps round after 256 of them.
    private static let ticks = Double(1 << 24)

    private var cells: ContiguousArray<Cell> = []
    private var clock = 0.0
    /// For a cache of how many entries the table is large enough.
    private(set) var entryCapacity = 0

    /// Remembers a key.
    ///
    /// - Parameters:
    ///   - share: how much of the whole cache the evicted entry took.
    ///   - entryCount: how many entries the cache has room for at present; the table grows with it.
    mutating func insert(tag: UInt32, share: Double, entryCount: Int) {
        if entryCount > entryCapacity { grow(to: entryCount + entryCount / 4) }
        clock += share
        put(Cell(tag: Self.stored(tag), time: now))
    }

    /// Whether a key was evicted lately; it is forgotten then.
    mutating func take(tag: UInt32) -> Bool {
        guard !cells.isEmpty else { return false }
        let tag = Self.stored(tag)
        for position in bucket(of: tag) where cells[position].tag == tag {
            let isLate = age(of: cells[position]) > UInt32(Self.ticks) * UInt32(Self.window)
            cells[position] = Cell()
            return !isLate
        }
        return false
    }

    private var now: UInt32 { UInt32(truncatingIfNeeded: UInt64(clock * Self.ticks)) }

    private func age(of cell: Cell) -> UInt32 { now &- cell.time }

    private static func stored(_ tag: UInt32) -> UInt32 { max(tag, 1) }

    private mutating func put(_ cell: Cell) {
        var chosen = -1
        for position in bucket(of: cell.tag) {
            if cells[position].tag == cell.tag {
                chosen = position
                break
            }
            // A free cell is older than any other.
            if chosen < 0 || cells[chosen].tag != 0 && isOlder(cells[position], than: cells[chosen]) {
                chosen = position
            }
        }
        cells[chosen] = cell
    }

    private func isOlder(_ first: Cell, than second: Cell) -> Bool {
        first.tag == 0 || age(of: first) > age(of: second)
    }

    private func bucket(of tag: UInt32) -> Range<Int> {
        let bucketCount = UInt64(truncatingIfNeeded: cells.count / Self.bucketSize)
        let start = Int(truncatingIfNeeded: (UInt64(tag) &* bucketCount) >> 32) * Self.bucketSize
        return start..<(start + Self.bucketSize)
    }

    /// A fifth of the cells stays free, so that few buckets overflow.
    private mutating func grow(to entries: Int) {
        let old = cells
        entryCapacity = max(16, entries)
        let bucketCount = (entryCapacity * Self.window * 5 / 4 + Self.bucketSize - 1) / Self.bucketSize
        cells = ContiguousArray(repeating: Cell(), count: bucketCount * Self.bucketSize)
        for cell in old where cell.tag != 0 { put(cell) }
    }
}
