/// Which blocks of a pool wait to be used again, and which have to go. Pure: it knows addresses, and touches no memory.
///
/// Blocks come in sizes, sixteen to a doubling, so that a picture finds the block of one that was a little larger or smaller.
/// Of a size, the block that came last goes out first: its pages are the likeliest to be in a cache.
struct BlockPoolLedger {
    /// Memory that is in nobody's hands.
    struct Block: Hashable {
        var address: UInt
        /// The bytes that it really has, as `capacity(for:)` says.
        var byteCount: Int
    }

    private struct Waiting {
        var block: Block
        var since: Duration
    }

    /// The most bytes that wait.
    let capacity: Int
    /// How long a block waits before it is given back to the system.
    let patience: Duration
    /// Bytes that wait to be used again.
    private(set) var waitingByteCount = 0
    /// Bytes in somebody's hands, and how many blocks they are.
    private(set) var lentByteCount = 0
    private(set) var lentCount = 0
    /// Bytes of those that wait in small blocks.
    private var waitingSmallByteCount = 0
    /// Those that came last are last. Few, because they are large, or of the few small ones.
    private var waiting: [Waiting] = []
    private var isSwept = false

    /// Smaller blocks are not worth a place: the allocator has them at hand.
    static let smallestPooled = 64 << 10
    /// Of blocks under this, `smallCapacity` bytes wait and no more: enough for the next frame of an animation, while thumbnails
    /// that come and go by hundreds give their memory back.
    static let smallestLarge = 1 << 20
    static let smallCapacity = 4 << 20

    init(capacity: Int, patience: Duration) {
        self.capacity = capacity
        self.patience = patience
    }

    /// The bytes that a block for `byteCount` really has: at most a sixteenth more.
    static func capacity(for byteCount: Int) -> Int {
        guard byteCount > smallestPooled else { return smallestPooled }
        let step = 1 << (Int.bitWidth - 1 - byteCount.leadingZeroBitCount - 4)
        return (byteCount + step - 1) & ~(step - 1)
    }

    /// A block with room for `byteCount` that nobody has, or `nil` where one has to be made. It counts as lent either way.
    mutating func take(_ byteCount: Int) -> Block? {
        let wanted = Self.capacity(for: byteCount)
        lentByteCount += wanted
        lentCount += 1
        guard let index = waiting.lastIndex(where: { $0.block.byteCount == wanted }) else { return nil }
        let block = waiting.remove(at: index).block
        forget(block)
        return block
    }

    /// Takes a lent block back, and returns those that have to go for it, or itself.
    mutating func give(_ block: Block, at now: Duration) -> [Block] {
        lentByteCount -= block.byteCount
        lentCount -= 1
        precondition(
            lentCount >= 0 && lentByteCount >= 0 && !waiting.contains { $0.block.address == block.address },
            "A block came back twice")
        guard block.byteCount <= capacity else { return [block] }
        waiting.append(Waiting(block: block, since: now))
        waitingByteCount += block.byteCount
        if block.byteCount < Self.smallestLarge { waitingSmallByteCount += block.byteCount }
        return trimSmall() + trim(to: capacity)
    }

    /// Lets the oldest go until at most `limit` bytes wait.
    mutating func trim(to limit: Int) -> [Block] {
        remove { _, left in left > limit }
    }

    /// Lets those go whose patience is over. Returns them, and when to ask again: `nil` once nothing waits.
    mutating func sweep(at now: Duration) -> (gone: [Block], pause: Duration?) {
        let gone = remove { [patience] entry, _ in now - entry.since >= patience }
        guard let oldest = waiting.first else {
            isSwept = false
            return (gone, nil)
        }
        return (gone, max(oldest.since + patience - now, .milliseconds(1)))
    }

    /// Whether somebody has to begin to sweep: `true` once, until `sweep` found nothing.
    mutating func beginSweeping() -> Bool {
        guard !isSwept, !waiting.isEmpty else { return false }
        isSwept = true
        return true
    }

    private mutating func trimSmall() -> [Block] {
        var gone: [Block] = []
        while waitingSmallByteCount > Self.smallCapacity,
            let oldest = waiting.firstIndex(where: { $0.block.byteCount < Self.smallestLarge })
        {
            gone.append(waiting.remove(at: oldest).block)
            forget(gone[gone.count - 1])
        }
        return gone
    }

    private mutating func forget(_ block: Block) {
        waitingByteCount -= block.byteCount
        if block.byteCount < Self.smallestLarge { waitingSmallByteCount -= block.byteCount }
    }

    /// Removes from the oldest on, as long as `goes` says so of the next one and of the bytes that are left.
    private mutating func remove(while goes: (Waiting, Int) -> Bool) -> [Block] {
        var count = 0
        while count < waiting.count, goes(waiting[count], waitingByteCount) {
            forget(waiting[count].block)
            count += 1
        }
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.block)
    }
}
