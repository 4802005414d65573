import CEaselPixels
import Synchronization

/// Keeps large blocks of memory for the next image or the next large file: the page faults of fresh memory cost more than the color
/// conversion of a JPEG.
///
/// Blocks under 64 KiB come from the allocator. Larger ones are pages of their own, huge ones if the system has them, so that thumbnails
/// leave no holes in the allocator's heaps. The free blocks are bounded. They are unmapped after ten seconds without use, and at once
/// when memory is short.
package final class BlockPool: Sendable {
    /// The pool of the whole process: at most a sixteenth of the memory that it may use, and 256 MiB.
    package static let shared = BlockPool(
        capacity: min(MemoryAllowance.ofProcess.byteCount / 16, 256 << 20), monitor: .system)

    private let ledger: Mutex<BlockPoolLedger>
    private let monitor: MemoryPressureMonitor?
    private let start = ContinuousClock.now

    init(capacity: Int, patience: Duration = .seconds(10), monitor: MemoryPressureMonitor? = nil) {
        ledger = Mutex(BlockPoolLedger(capacity: capacity, patience: patience))
        self.monitor = monitor
    }

    deinit { drain() }

    /// The bytes of free blocks.
    var waitingByteCount: Int { ledger.withLock { $0.waitingByteCount } }

    /// Takes a block of exactly `byteCount` bytes, aligned to 64, content undefined.
    func take(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        guard byteCount >= BlockPoolLedger.smallestPooled else {
            return .allocate(byteCount: byteCount, alignment: 64)
        }
        let recycled = ledger.withLock { $0.take(byteCount) }
        let start = recycled.flatMap { UnsafeMutableRawPointer(bitPattern: $0.address) }
        guard let start = start ?? easel_memory_map(BlockPoolLedger.capacity(for: byteCount)) else {
            preconditionFailure("There is no memory left for \(byteCount) bytes")
        }
        return UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    /// Gives back a block of `take`.
    func give(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let address = bytes.baseAddress, bytes.count >= BlockPoolLedger.smallestPooled else {
            return bytes.deallocate()
        }
        let block = BlockPoolLedger.Block(
            address: UInt(bitPattern: address), byteCount: BlockPoolLedger.capacity(for: bytes.count))
        let (gone, isToSweep) = ledger.withLock { [now = ContinuousClock.now - start] ledger in
            (ledger.give(block, at: now), ledger.beginSweeping())
        }
        Self.free(gone)
        if isToSweep { sweepUntilEmpty() }
    }

    /// Unmaps all free blocks.
    func drain() {
        Self.free(ledger.withLock { $0.trim(to: 0) })
    }

    /// Observes the pressure and unmaps old blocks as long as there are free blocks.
    private func sweepUntilEmpty() {
        let observation = monitor?.observe { [weak self] _ in self?.drain() }
        Task.detached(priority: .background) { [weak self] in
            while let pause = self?.sweep() { try? await Task.sleep(for: pause) }
            withExtendedLifetime(observation) {}
        }
    }

    private func sweep() -> Duration? {
        let (gone, pause) = ledger.withLock { $0.sweep(at: ContinuousClock.now - start) }
        Self.free(gone)
        return pause
    }

    private static func free(_ blocks: [BlockPoolLedger.Block]) {
        for block in blocks {
            guard let start = UnsafeMutableRawPointer(bitPattern: block.address) else { continue }
            easel_memory_unmap(start, block.byteCount)
        }
    }
}

/// A block of the pool with one owner, which is given back with this value.
package struct PooledBlock: ~Copyable {
    /// The whole block: aligned to 64, content undefined at first. The pointer must not outlive this value.
    package let bytes: UnsafeMutableRawBufferPointer
    private let pool: BlockPool

    /// A block of exactly `byteCount` bytes.
    package init(byteCount: Int, of pool: BlockPool = .shared) {
        bytes = pool.take(byteCount)
        self.pool = pool
    }

    deinit { pool.give(bytes) }
}

/// The free blocks of a pool: a value that holds addresses and touches no memory.
///
/// There are sixteen sizes to a doubling, so that an image can use the block of one that was a little larger or smaller. Of one size the
/// block that came last is taken first: its pages are the likeliest to be in a cache.
struct BlockPoolLedger {
    struct Block: Hashable {
        var address: UInt
        /// The bytes that it has, by `capacity(for:)`.
        var byteCount: Int

        var isSmall: Bool { byteCount < BlockPoolLedger.smallestLarge }
    }

    private struct Waiting {
        var block: Block
        var since: Duration
    }

    /// The most bytes of free blocks.
    let capacity: Int
    /// How long a block is free before it is unmapped.
    let patience: Duration
    private(set) var waitingByteCount = 0
    /// The free blocks, in the order in which they came.
    private var waiting: [Waiting] = []
    private var isSwept = false

    /// Smaller blocks are left to the allocator.
    static let smallestPooled = 64 << 10
    /// Of blocks under this, at most `smallCapacity` bytes are free: enough for the next frame of an animation, while thumbnails that
    /// come and go by hundreds give their memory back.
    static let smallestLarge = 1 << 20
    static let smallCapacity = 4 << 20

    init(capacity: Int, patience: Duration) {
        self.capacity = capacity
        self.patience = patience
    }

    /// The bytes that a block for `byteCount` has: at most a sixteenth more.
    static func capacity(for byteCount: Int) -> Int {
        guard byteCount > smallestPooled else { return smallestPooled }
        let step = 1 << (Int.bitWidth - 1 - byteCount.leadingZeroBitCount - 4)
        return (byteCount + step - 1) & ~(step - 1)
    }

    /// Takes a free block with room for `byteCount`, or returns `nil` if one has to be mapped.
    mutating func take(_ byteCount: Int) -> Block? {
        let wanted = Self.capacity(for: byteCount)
        return waiting.lastIndex { $0.block.byteCount == wanted }.map { remove(at: $0) }
    }

    /// Takes back a block, and returns those to unmap.
    mutating func give(_ block: Block, at now: Duration) -> [Block] {
        precondition(!waiting.contains { $0.block.address == block.address }, "A block came back twice")
        guard block.byteCount <= capacity else { return [block] }
        waiting.append(Waiting(block: block, since: now))
        waitingByteCount += block.byteCount
        var gone: [Block] = []
        var smallByteCount = waiting.reduce(0) { $0 + ($1.block.isSmall ? $1.block.byteCount : 0) }
        while smallByteCount > Self.smallCapacity, let oldest = waiting.firstIndex(where: { $0.block.isSmall }) {
            gone.append(remove(at: oldest))
            smallByteCount -= gone[gone.count - 1].byteCount
        }
        return gone + trim(to: capacity)
    }

    /// Removes the oldest blocks until at most `limit` bytes are free.
    mutating func trim(to limit: Int) -> [Block] {
        var gone: [Block] = []
        while waitingByteCount > limit, !waiting.isEmpty { gone.append(remove(at: 0)) }
        return gone
    }

    /// Removes the blocks whose patience is over. Returns them, and the time until the next call: `nil` once none is free.
    mutating func sweep(at now: Duration) -> (gone: [Block], pause: Duration?) {
        var gone: [Block] = []
        while let oldest = waiting.first {
            let pause = oldest.since + patience - now
            if pause > .zero { return (gone, max(pause, .milliseconds(1))) }
            gone.append(remove(at: 0))
        }
        isSwept = false
        return (gone, nil)
    }

    /// Whether sweeping has to begin: `true` once, until `sweep` finds no block.
    mutating func beginSweeping() -> Bool {
        guard !isSwept, !waiting.isEmpty else { return false }
        isSwept = true
        return true
    }

    private mutating func remove(at index: Int) -> Block {
        let block = waiting.remove(at: index).block
        waitingByteCount -= block.byteCount
        return block
    }
}
