import Synchronization

/// The memory behind a `PixelBuffer`: a block of the pool, given back by its last owner, or a part of a mapped file.
///
/// `@unchecked Sendable` is sound: `bytes` is written only inside `PixelBuffer.init`, before the only reference is
/// shared, and inside `PixelBuffer.changed` by its only owner. It is read-only from then on, and a mapping is never written
/// at all.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    private let mapping: MappedBytes?

    /// Whether the bytes are a file's.
    var isMapped: Bool { mapping != nil }

    init(byteCount: Int) {
        bytes = PixelPool.shared.take(byteCount)
        mapping = nil
    }

    /// The bytes of a mapping from `offset` to its end.
    init(_ mapping: MappedBytes, from offset: Int) {
        bytes = UnsafeMutableRawBufferPointer(rebasing: mapping.bytes[offset...])
        self.mapping = mapping
    }

    deinit {
        if mapping == nil { PixelPool.shared.give(bytes) }
    }
}

/// Keeps a few large blocks for the next picture: fresh memory costs more in page faults than a JPEG's colour conversion.
///
/// Blocks under 1 MiB go straight to the allocator. At most `capacity` bytes wait here, the latest ones: sizes that do
/// not come again make room for those that do.
package final class PixelPool: Sendable {
    /// The pool of the whole process.
    package static let shared = PixelPool(capacity: 64 << 20)

    private struct Block {
        let address: UInt
        let byteCount: Int

        func deallocate() {
            UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
        }
    }

    private struct Waiting {
        /// The latest one last. Few, because all are large.
        var blocks: [Block] = []
        var byteCount = 0
    }

    private let capacity: Int
    private let waiting = Mutex(Waiting())
    private static let smallestPooled = 1 << 20
    private static let alignment = 64

    init(capacity: Int) {
        self.capacity = capacity
    }

    deinit { drain() }

    /// The bytes that wait to be used again.
    var waitingByteCount: Int { waiting.withLock { $0.byteCount } }

    /// A block of exactly `byteCount` bytes, aligned to 64, content undefined.
    package func take(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        let recycled = waiting.withLock { waiting -> Block? in
            guard let index = waiting.blocks.lastIndex(where: { $0.byteCount == byteCount }) else { return nil }
            waiting.byteCount -= byteCount
            return waiting.blocks.remove(at: index)
        }
        if let start = recycled.flatMap({ UnsafeMutableRawPointer(bitPattern: $0.address) }) {
            return UnsafeMutableRawBufferPointer(start: start, count: byteCount)
        }
        return .allocate(byteCount: byteCount, alignment: Self.alignment)
    }

    /// Takes a block back that `take` gave out.
    package func give(_ block: UnsafeMutableRawBufferPointer) {
        guard let start = block.baseAddress, block.count >= Self.smallestPooled, block.count <= capacity else {
            block.deallocate()
            return
        }
        let surplus = waiting.withLock { waiting in
            waiting.blocks.append(Block(address: UInt(bitPattern: start), byteCount: block.count))
            waiting.byteCount += block.count
            var surplus: [Block] = []
            while waiting.byteCount > capacity {
                let oldest = waiting.blocks.removeFirst()
                waiting.byteCount -= oldest.byteCount
                surplus.append(oldest)
            }
            return surplus
        }
        for block in surplus { block.deallocate() }
    }

    /// Gives all waiting memory back to the system, as memory pressure asks.
    func drain() {
        let blocks = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting.blocks
        }
        for block in blocks { block.deallocate() }
    }
}
