import Testing

@testable import EaselCore

@Suite("Pixel pool")
struct PixelPoolTests {
    private static let megabyte = 1 << 20

    @Test("gives a large block out again")
    func recycled() {
        let pool = PixelPool(capacity: 8 * Self.megabyte)
        let first = pool.take(2 * Self.megabyte)
        let address = first.baseAddress
        pool.give(first)
        #expect(pool.waitingByteCount == 2 * Self.megabyte)
        let second = pool.take(2 * Self.megabyte)
        #expect(second.baseAddress == address)
        #expect(second.count == 2 * Self.megabyte)
        #expect(pool.waitingByteCount == 0)
        pool.give(second)
    }

    @Test("gives a waiting block to nobody who wants another size")
    func otherSize() {
        let pool = PixelPool(capacity: 8 * Self.megabyte)
        pool.give(pool.take(2 * Self.megabyte))
        let other = pool.take(2 * Self.megabyte - 64)
        #expect(other.count == 2 * Self.megabyte - 64)
        #expect(pool.waitingByteCount == 2 * Self.megabyte)
        pool.give(other)
    }

    @Test("gives no block to two at once")
    func exclusive() {
        let pool = PixelPool(capacity: 8 * Self.megabyte)
        pool.give(pool.take(Self.megabyte))
        let blocks = (0..<3).map { _ in pool.take(Self.megabyte) }
        #expect(Set(blocks.map(\.baseAddress)).count == 3)
        for block in blocks { pool.give(block) }
    }

    @Test("keeps no small block, none over its capacity, and never more than its capacity")
    func bounded() {
        let pool = PixelPool(capacity: 4 * Self.megabyte)
        pool.give(pool.take(Self.megabyte - 64))
        #expect(pool.waitingByteCount == 0)
        pool.give(pool.take(5 * Self.megabyte))
        #expect(pool.waitingByteCount == 0)
        let blocks = (0..<8).map { _ in pool.take(Self.megabyte) }
        for block in blocks {
            pool.give(block)
            #expect(pool.waitingByteCount <= 4 * Self.megabyte)
        }
        #expect(pool.waitingByteCount == 4 * Self.megabyte)
    }

    @Test("a size that comes now displaces one that came long ago")
    func displaced() {
        let pool = PixelPool(capacity: 4 * Self.megabyte)
        for size in [1, 2] { pool.give(pool.take(size * Self.megabyte)) }
        let wanted = pool.take(3 * Self.megabyte)
        let address = wanted.baseAddress
        pool.give(wanted)
        let again = pool.take(3 * Self.megabyte)
        #expect(again.baseAddress == address)
        pool.give(again)
    }

    @Test("blocks are aligned to 64 bytes", arguments: [64, 4_096, 1 << 20, (1 << 20) + 64])
    func alignment(byteCount: Int) {
        let pool = PixelPool(capacity: 4 * Self.megabyte)
        let block = pool.take(byteCount)
        #expect(UInt(bitPattern: block.baseAddress) % 64 == 0)
        #expect(block.count == byteCount)
        pool.give(block)
    }

    @Test("draining gives everything back")
    func drain() {
        let pool = PixelPool(capacity: 4 * Self.megabyte)
        pool.give(pool.take(Self.megabyte))
        pool.drain()
        #expect(pool.waitingByteCount == 0)
        let block = pool.take(Self.megabyte)
        block.storeBytes(of: 1, toByteOffset: Self.megabyte - 8, as: Int.self)
        pool.give(block)
        #expect(pool.waitingByteCount == Self.megabyte)
    }
}
