import CEaselPixels
import Synchronization

/// Keeps large blocks of memory for the next picture, or the next file that is large: fresh memory costs more in page faults
/// than a JPEG's colour conversion.
///
/// Blocks under 64 KiB go straight to the allocator. Larger ones are pages of their own, huge ones where the system has them:
/// thumbnails, too, come and go among everything else, and would leave the allocator's heaps full of holes. What waits here is
/// bounded, goes after ten seconds that nobody wanted it, and at once when memory gets short.
package final class BlockPool: Sendable {
    /// The pool of the whole process: at most a sixteenth of the memory that it may use, and 256 MiB.
    package static let shared = BlockPool(
        capacity: min(MemoryAllowance.ofProcess.byteCount / 16, 256 << 20), monitor: .system)

    private let ledger: Mutex<BlockPoolLedger>
    private let monitor: MemoryPressureMonitor?
    private let start = ContinuousClock.now
    private static let smallAlignment = 64

    init(capacity: Int, patience: Duration = .seconds(10), monitor: MemoryPressureMonitor? = nil) {
        ledger = Mutex(BlockPoolLedger(capacity: capacity, patience: patience))
        self.monitor = monitor
    }

    deinit { drain() }

    /// The bytes that wait to be used again.
    var waitingByteCount: Int { ledger.withLock { $0.waitingByteCount } }

    /// A block of exactly `byteCount` bytes, aligned to 64, content undefined.
    func take(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        guard byteCount >= BlockPoolLedger.smallestPooled else {
            return .allocate(byteCount: byteCount, alignment: Self.smallAlignment)
        }
        guard let start = takePooled(byteCount) else {
            preconditionFailure("There is no memory left for \(byteCount) bytes")
        }
        return UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    private func takePooled(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let recycled = ledger.withLock { $0.take(byteCount) }
        return recycled.flatMap { UnsafeMutableRawPointer(bitPattern: $0.address) }
            ?? easel_memory_map(BlockPoolLedger.capacity(for: byteCount))
    }

    /// Takes a block back that `take` gave out.
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

    /// Gives all waiting memory back to the system.
    func drain() {
        Self.free(ledger.withLock { $0.trim(to: 0) })
    }

    /// As long as anything waits, somebody looks after it, and listens for pressure.
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
