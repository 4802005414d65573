import CEaselPixels
import Synchronization

/// A pool of large memory blocks for images and files: the page faults of new memory take longer than the color
/// conversion of a JPEG.
///
/// Blocks under 64 KiB come from the allocator. Larger ones are mapped, with huge pages if possible, so that thumbnails
/// do not fragment the allocator's heaps. Free blocks are unmapped after ten seconds, and when memory is short.
package final class BlockPool: Sendable {
    /// The pool of the process: at most a sixteenth of the memory that it may use, and 256 MiB.
    package static let shared = BlockPool(
        capacity: min(MemoryAllowance.ofProcess.byteCount / 16, 256 << 20), monitor: .system)

    private let ledger: Mutex<BlockPoolLedger>
    private let monitor: MemoryPressureMonitor?
    private let start = ContinuousClock.now

    init(capacity: Int, idleTime: Duration = .seconds(10), monitor: MemoryPressureMonitor? = nil) {
        ledger = Mutex(BlockPoolLedger(capacity: capacity, idleTime: idleTime))
        self.monitor = monitor
    }

    deinit { drain() }

    /// The number of free bytes.
    var waitingByteCount: Int { ledger.withLock { $0.waitingByteCount } }

    /// Takes a block of `byteCount` bytes, aligned to 64 and not initialised.
    func take(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        guard byteCount >= BlockPoolLedger.smallestPooled else {
            return .allocate(byteCount: byteCount, alignment: 64)
        }
        let recycled = ledger.withLock { $0.take(byteCount) }
        let start = recycled.flatMap { UnsafeMutableRawPointer(bitPattern: $0.address) }
        guard let start = start ?? easel_memory_map(BlockPoolLedger.capacity(for: byteCount)) else {
            preconditionFailure("No memory is available for \(byteCount) bytes")
        }
        return UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    /// Takes back a block.
    func recycle(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let address = bytes.baseAddress, bytes.count >= BlockPoolLedger.smallestPooled else {
            return bytes.deallocate()
        }
        let block = BlockPoolLedger.Block(
            address: UInt(bitPattern: address), byteCount: BlockPoolLedger.capacity(for: bytes.count))
        let (freed, isToSweep) = ledger.withLock { [now = ContinuousClock.now - start] ledger in
            (ledger.recycle(block, at: now), ledger.beginSweeping())
        }
        Self.free(freed)
        // A worker process drains the pool itself when it is idle.
        if isToSweep, !IsolatedProcess.isCurrent { sweepUntilEmpty() }
    }

    /// Unmaps all free blocks.
    package func drain() {
        Self.free(ledger.withLock { $0.trim(to: 0) })
    }

    /// Unmaps old blocks, and all blocks on memory pressure, until there are none.
    private func sweepUntilEmpty() {
        let observation = monitor?.observe { [weak self] _ in self?.drain() }
        Task.detached(priority: .background) { [weak self] in
            while let pause = self?.sweep() { try? await Task.sleep(for: pause) }
            withExtendedLifetime(observation) {}
        }
    }

    private func sweep() -> Duration? {
        let (freed, pause) = ledger.withLock { $0.sweep(at: ContinuousClock.now - start) }
        Self.free(freed)
        return pause
    }

    private static func free(_ blocks: [BlockPoolLedger.Block]) {
        for block in blocks {
            guard let start = UnsafeMutableRawPointer(bitPattern: block.address) else { continue }
            easel_memory_unmap(start, block.byteCount)
        }
    }
}

/// A block of the pool, which is recycled at the end of this value's lifetime.
package struct PooledBlock: ~Copyable {
    /// The block, aligned to 64 and not initialised. The pointer must not outlive this value.
    package let bytes: UnsafeMutableRawBufferPointer
    private let pool: BlockPool

    package init(byteCount: Int, of pool: BlockPool = .shared) {
        bytes = pool.take(byteCount)
        self.pool = pool
    }

    deinit { pool.recycle(bytes) }
}

/// The free blocks of a pool, by their addresses.
///
/// There are sixteen sizes per doubling, so that images of similar sizes can use the same blocks. The block that was
/// used last is taken first, because its pages are most likely in a processor's cache.
struct BlockPoolLedger {
    struct Block: Hashable {
        var address: UInt
        /// The number of bytes, from `capacity(for:)`.
        var byteCount: Int

        var isSmall: Bool { byteCount < BlockPoolLedger.smallestLarge }
    }

    private struct Waiting {
        var block: Block
        var since: Duration
    }

    /// The largest number of free bytes.
    let capacity: Int
    /// The time after which a free block is unmapped.
    let idleTime: Duration
    private(set) var waitingByteCount = 0
    /// The free blocks, the oldest first.
    private var waiting: [Waiting] = []
    private var isSwept = false

    /// Smaller blocks come from the allocator.
    static let smallestPooled = 64 << 10
    /// At most `smallCapacity` bytes of smaller blocks are free: enough for the next frame of an animation, but not for
    /// hundreds of thumbnails.
    static let smallestLarge = 1 << 20
    static let smallCapacity = 4 << 20

    init(capacity: Int, idleTime: Duration) {
        self.capacity = capacity
        self.idleTime = idleTime
    }

    /// Returns the size of a block for `byteCount` bytes: at most a sixteenth more.
    static func capacity(for byteCount: Int) -> Int {
        guard byteCount > smallestPooled else { return smallestPooled }
        let step = 1 << (Int.bitWidth - 1 - byteCount.leadingZeroBitCount - 4)
        return (byteCount + step - 1) & ~(step - 1)
    }

    /// Takes a free block with room for `byteCount`. Returns `nil` if one has to be mapped.
    mutating func take(_ byteCount: Int) -> Block? {
        let size = Self.capacity(for: byteCount)
        return waiting.lastIndex { $0.block.byteCount == size }.map { remove(at: $0) }
    }

    /// Takes back a block. Returns the blocks to unmap.
    mutating func recycle(_ block: Block, at now: Duration) -> [Block] {
        precondition(!waiting.contains { $0.block.address == block.address }, "A block was returned twice")
        guard block.byteCount <= capacity else { return [block] }
        waiting.append(Waiting(block: block, since: now))
        waitingByteCount += block.byteCount
        var freed: [Block] = []
        var smallByteCount = waiting.reduce(0) { $0 + ($1.block.isSmall ? $1.block.byteCount : 0) }
        while smallByteCount > Self.smallCapacity, let oldest = waiting.firstIndex(where: { $0.block.isSmall }) {
            freed.append(remove(at: oldest))
            smallByteCount -= freed[freed.count - 1].byteCount
        }
        return freed + trim(to: capacity)
    }

    /// Removes the oldest blocks until at most `limit` bytes are free.
    mutating func trim(to limit: Int) -> [Block] {
        var freed: [Block] = []
        while waitingByteCount > limit, !waiting.isEmpty { freed.append(remove(at: 0)) }
        return freed
    }

    /// Removes the blocks that have been free for longer than `idleTime`. Returns them, and the time until the next
    /// call, or `nil` if none is free.
    mutating func sweep(at now: Duration) -> (freed: [Block], pause: Duration?) {
        var freed: [Block] = []
        while let oldest = waiting.first {
            let pause = oldest.since + idleTime - now
            if pause > .zero { return (freed, max(pause, .milliseconds(1))) }
            freed.append(remove(at: 0))
        }
        isSwept = false
        return (freed, nil)
    }

    /// Begins sweeping. Returns `false` if it has begun already, or there are no blocks.
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
