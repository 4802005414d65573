import Testing

@testable import EaselCore

@Suite("Block pool")
struct BlockPoolTests {
    private static let megabyte = 1 << 20

    @Test("a large block is reused")
    func recycled() {
        let pool = BlockPool(capacity: 8 * Self.megabyte)
        let first = pool.take(2 * Self.megabyte)
        let address = first.baseAddress
        pool.recycle(first)
        #expect(pool.waitingByteCount == 2 * Self.megabyte)
        let second = pool.take(2 * Self.megabyte - 64)
        #expect(second.baseAddress == address)
        #expect(second.count == 2 * Self.megabyte - 64)
        #expect(pool.waitingByteCount == 0)
        pool.recycle(second)
    }

    @Test("small blocks are not pooled")
    func small() {
        let pool = BlockPool(capacity: 8 * Self.megabyte)
        pool.recycle(pool.take((64 << 10) - 64))
        #expect(pool.waitingByteCount == 0)
    }

    @Test(
        "every byte of a block can be written",
        arguments: [64, 4_096, 1 << 20, (1 << 20) + 1, 3_000_001, 4 << 20, (4 << 20) + 1, 9_999_999])
    func wholeBlock(byteCount: Int) {
        let pool = BlockPool(capacity: 32 * Self.megabyte)
        let block = pool.take(byteCount)
        #expect(UInt(bitPattern: block.baseAddress) % 64 == 0)
        #expect(block.count == byteCount)
        block.initializeMemory(as: UInt8.self, repeating: 7)
        #expect(block.last == 7)
        pool.recycle(block)
    }

    @Test("draining releases all free blocks, and the pool stays usable")
    func drain() {
        let pool = BlockPool(capacity: 4 * Self.megabyte)
        pool.recycle(pool.take(Self.megabyte))
        pool.drain()
        #expect(pool.waitingByteCount == 0)
        let block = pool.take(Self.megabyte)
        block.storeBytes(of: 1, toByteOffset: Self.megabyte - 8, as: Int.self)
        pool.recycle(block)
        #expect(pool.waitingByteCount == Self.megabyte)
    }

    @Test("memory pressure releases free blocks")
    func pressure() {
        let monitor = MemoryPressureMonitor()
        let pool = BlockPool(capacity: 4 * Self.megabyte, idleTime: .seconds(1_000), monitor: monitor)
        pool.recycle(pool.take(Self.megabyte))
        monitor.report(.warning)
        #expect(pool.waitingByteCount == 0)
    }

    @Test("the memory of an image is not reused while a copy exists")
    func reusesBlocks() throws {
        let size = PixelSize(1024, 512)
        func image(_ level: UInt8) throws -> PixelBuffer {
            try PixelBuffer(size: size, isOpaque: true) { bytes, _ in
                bytes.initializeMemory(as: UInt8.self, repeating: level)
            }
        }
        var first: PixelBuffer? = try image(1)
        let copy = first
        first = nil
        let others = try (2...5).map { try image($0) }
        #expect(copy?[1023, 511].alpha == 1)
        #expect(others.map { $0[0, 0].blue } == [2, 3, 4, 5])
    }
}
