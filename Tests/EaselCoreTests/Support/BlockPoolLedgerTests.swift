import Testing

@testable import EaselCore

@Suite("Block pool: ledger")
struct BlockPoolLedgerTests {
    private typealias Block = BlockPoolLedger.Block
    private var ledger = BlockPoolLedger(capacity: 4 << 20, idleTime: .seconds(10))

    /// Takes a free block of this size, or one at `address` as if newly allocated.
    private mutating func takeBlock(_ megabytes: Int, at address: UInt) -> Block {
        ledger.take(megabytes << 20) ?? Block(address: address, byteCount: megabytes << 20)
    }

    @Test("a block is at most a sixteenth larger than requested, and similar sizes share a capacity")
    func capacities() {
        for count in [
            64 << 10, (64 << 10) + 1, 518_400, 1 << 20, (1 << 20) + 1, 1_500_000, 3 << 20, 48_000_000, 48_000_064,
            (1 << 40) + 1,
        ] {
            let capacity = BlockPoolLedger.capacity(for: count)
            #expect(capacity >= count)
            #expect(capacity - count <= count / 16)
            #expect(BlockPoolLedger.capacity(for: capacity) == capacity)
        }
        #expect(BlockPoolLedger.capacity(for: 48_000_000) == BlockPoolLedger.capacity(for: 48_000_064))
    }

    @Test("a block is lent only once at a time")
    mutating func exclusive() {
        let block = takeBlock(1, at: 1)
        _ = ledger.recycle(block, at: .zero)
        let (first, second) = (ledger.take(1 << 20), ledger.take(1 << 20))
        #expect(first == block)
        #expect(second == nil)
    }

    @Test("the most recently returned block of a size is lent first")
    mutating func latest() {
        var blocks: [Block] = []
        for address in 1...3 { blocks.append(takeBlock(1, at: UInt(address))) }
        for block in blocks { _ = ledger.recycle(block, at: .zero) }
        let taken = ledger.take(1 << 20)
        #expect(taken == blocks[2])
    }

    @Test("a block of another size stays in the pool")
    mutating func otherSize() {
        let block = takeBlock(2, at: 1)
        _ = ledger.recycle(block, at: .zero)
        let taken = ledger.take(1 << 20)
        #expect(taken == nil)
        #expect(ledger.waitingByteCount == 2 << 20)
    }

    @Test("free blocks beyond the capacity are released, oldest first")
    mutating func bounded() {
        var blocks: [Block] = []
        for address in 1...6 { blocks.append(takeBlock(1, at: UInt(address))) }
        var freed: [Block] = []
        for block in blocks.prefix(4) { freed += ledger.recycle(block, at: .zero) }
        #expect(freed.isEmpty)
        for block in blocks.suffix(2) { freed += ledger.recycle(block, at: .zero) }
        #expect(freed == [blocks[0], blocks[1]])
        #expect(ledger.waitingByteCount == 4 << 20)
    }

    @Test("few small blocks stay free, and no large block is released for them")
    mutating func small() {
        var ledger = BlockPoolLedger(capacity: 64 << 20, idleTime: .seconds(10))
        let large = ledger.take(2 << 20) ?? Block(address: 1, byteCount: 2 << 20)
        let size = 512 << 10
        let blocks = (2...10).map { ledger.take(size) ?? Block(address: $0, byteCount: size) }
        var freed = ledger.recycle(large, at: .zero)
        for block in blocks { freed += ledger.recycle(block, at: .zero) }
        #expect(freed == [blocks[0]])
        #expect(ledger.waitingByteCount == 6 << 20)
        let taken = ledger.take(size)
        #expect(taken == blocks[8])
        let last = ledger.recycle(blocks[8], at: .zero)
        #expect(last.isEmpty)
    }

    @Test("a block over the capacity is released, and displaces no other")
    mutating func oversized() {
        let small = takeBlock(1, at: 1)
        let large = takeBlock(5, at: 2)
        _ = ledger.recycle(small, at: .zero)
        let freed = ledger.recycle(large, at: .zero)
        #expect(freed == [large])
        #expect(ledger.waitingByteCount == 1 << 20)
    }

    @Test("blocks are released after the patience, and a sweep returns the pause until the next")
    mutating func idle() {
        let (first, second) = (takeBlock(1, at: 1), takeBlock(1, at: 2))
        _ = ledger.recycle(first, at: .seconds(0))
        _ = ledger.recycle(second, at: .seconds(4))
        let early = ledger.sweep(at: .seconds(9))
        #expect(early.freed.isEmpty)
        #expect(early.pause == .seconds(1))
        let later = ledger.sweep(at: .seconds(10))
        #expect(later.freed == [first])
        #expect(later.pause == .seconds(4))
        let last = ledger.sweep(at: .seconds(14))
        #expect(last.freed == [second])
        #expect(last.pause == nil)
        #expect(ledger.waitingByteCount == 0)
    }

    @Test("one sweeper runs from the first free block until there is none")
    mutating func sweeper() {
        var answers = [ledger.beginSweeping()]
        let (first, second) = (takeBlock(1, at: 1), takeBlock(1, at: 2))
        _ = ledger.recycle(first, at: .zero)
        answers.append(ledger.beginSweeping())
        _ = ledger.recycle(second, at: .zero)
        answers.append(ledger.beginSweeping())
        _ = ledger.sweep(at: .seconds(10))
        let third = takeBlock(1, at: 3)
        _ = ledger.recycle(third, at: .seconds(11))
        answers.append(ledger.beginSweeping())
        #expect(answers == [false, true, false, true])
    }

    @Test("a trim releases the oldest blocks first, down to the given size")
    mutating func trim() {
        var blocks: [Block] = []
        for address in 1...3 { blocks.append(takeBlock(1, at: UInt(address))) }
        for block in blocks { _ = ledger.recycle(block, at: .zero) }
        let (some, rest) = (ledger.trim(to: 1 << 20), ledger.trim(to: 0))
        #expect(some == [blocks[0], blocks[1]])
        #expect(rest == [blocks[2]])
    }
}
