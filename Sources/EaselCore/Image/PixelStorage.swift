import Synchronization

/// The memory behind a `PixelBuffer`, given back to the pool by its last owner.
///
/// `@unchecked Sendable` is sound: `bytes` is written only inside `PixelBuffer.init`, before the only reference is
/// shared, and is read-only from then on.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) {
        bytes = PixelPool.shared.take(byteCount)
    }

    deinit {
        PixelPool.shared.give(bytes)
    }
}

/// Keeps a few large blocks for the next picture: fresh memory costs more in page faults than a JPEG's colour conversion.
///
/// Blocks under 1 MiB go straight to the allocator. At most `capacity` bytes wait here.
package final class PixelPool: Sendable {
    /// The pool of the whole process.
    package static let shared = PixelPool(capacity: 64 << 20)

    private struct Waiting {
        var blocks: [Int: [UInt]] = [:]
        var byteCount = 0
    }

    private let capacity: Int
    private let waiting = Mutex(Waiting())
    private static let smallestPooled = 1 << 20
    private static let alignment = 64

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// A block of exactly `byteCount` bytes, aligned to 64, content undefined.
    package func take(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        let recycled: UInt? = waiting.withLock { waiting in
            guard let address = waiting.blocks[byteCount]?.popLast() else { return nil }
            waiting.byteCount -= byteCount
            return address
        }
        if let recycled, let start = UnsafeMutableRawPointer(bitPattern: recycled) {
            return UnsafeMutableRawBufferPointer(start: start, count: byteCount)
        }
        return .allocate(byteCount: byteCount, alignment: Self.alignment)
    }

    /// Takes a block back that `take` gave out.
    package func give(_ block: UnsafeMutableRawBufferPointer) {
        let kept = waiting.withLock { waiting in
            guard let start = block.baseAddress, block.count >= Self.smallestPooled,
                waiting.byteCount + block.count <= capacity
            else { return false }
            waiting.blocks[block.count, default: []].append(UInt(bitPattern: start))
            waiting.byteCount += block.count
            return true
        }
        if !kept { block.deallocate() }
    }

    /// Gives all waiting memory back to the system, as memory pressure asks.
    func drain() {
        let blocks = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting.blocks
        }
        for (byteCount, addresses) in blocks {
            for start in addresses.compactMap(UnsafeMutableRawPointer.init(bitPattern:)) {
                UnsafeMutableRawBufferPointer(start: start, count: byteCount).deallocate()
            }
        }
    }
}
