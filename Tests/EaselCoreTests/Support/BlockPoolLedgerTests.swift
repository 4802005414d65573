import Testing

@testable import EaselCore

@Suite("Block pool: bookkeeping")
struct BlockPoolLedgerTests {
    private typealias Block = BlockPoolLedger.Block
    private var ledger = BlockPoolLedger(capacity: 4 << 20, patience: .seconds(10))

    /// Lends a block of this size as if it had been made at `address`, unless one waited.
    private mutating func lend(_ megabytes: Int, at address: UInt) -> Block {
        ledger.take(megabytes << 20) ?? Block(address: address, byteCount: megabytes << 20)
    }

    @Test("a block has at most a sixteenth more than is asked for, and sizes near each other share one")
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

    @Test("gives no block to two at once")
    mutating func exclusive() {
        let block = lend(1, at: 1)
        _ = ledger.give(block, at: .zero)
        let (once, twice) = (ledger.take(1 << 20), ledger.take(1 << 20))
        #expect(once == block)
        #expect(twice == nil)
    }

    @Test("of a size, the block that came last goes out first")
    mutating func latest() {
        var blocks: [Block] = []
        for address in 1...3 { blocks.append(lend(1, at: UInt(address))) }
        for block in blocks { _ = ledger.give(block, at: .zero) }
        let taken = ledger.take(1 << 20)
        #expect(taken == blocks[2])
    }

    @Test("a block of another size stays where it is")
    mutating func otherSize() {
        let block = lend(2, at: 1)
        _ = ledger.give(block, at: .zero)
        let taken = ledger.take(1 << 20)
        #expect(taken == nil)
        #expect(ledger.waitingByteCount == 2 << 20)
    }

    @Test("never more waits than the capacity: the oldest go")
    mutating func bounded() {
        var blocks: [Block] = []
        for address in 1...6 { blocks.append(lend(1, at: UInt(address))) }
        var gone: [Block] = []
        for block in blocks.prefix(4) { gone += ledger.give(block, at: .zero) }
        #expect(gone.isEmpty)
        for block in blocks.suffix(2) { gone += ledger.give(block, at: .zero) }
        #expect(gone == [blocks[0], blocks[1]])
        #expect(ledger.waitingByteCount == 4 << 20)
    }

    @Test("of small blocks few wait, whatever is free: the oldest go, and no large one for them")
    mutating func small() {
        var ledger = BlockPoolLedger(capacity: 64 << 20, patience: .seconds(10))
        let large = ledger.take(2 << 20) ?? Block(address: 1, byteCount: 2 << 20)
        let size = 512 << 10
        let blocks = (2...10).map { ledger.take(size) ?? Block(address: $0, byteCount: size) }
        var gone = ledger.give(large, at: .zero)
        for block in blocks { gone += ledger.give(block, at: .zero) }
        #expect(gone == [blocks[0]])
        #expect(ledger.waitingByteCount == 6 << 20)
        let taken = ledger.take(size)
        #expect(taken == blocks[8])
        let last = ledger.give(blocks[8], at: .zero)
        #expect(last.isEmpty)
    }

    @Test("a block over the capacity does not wait, and displaces none")
    mutating func oversized() {
        let small = lend(1, at: 1)
        let large = lend(5, at: 2)
        _ = ledger.give(small, at: .zero)
        let gone = ledger.give(large, at: .zero)
        #expect(gone == [large])
        #expect(ledger.waitingByteCount == 1 << 20)
    }

    @Test("blocks go when their patience is over, and the next time to look is told")
    mutating func idle() {
        let (first, second) = (lend(1, at: 1), lend(1, at: 2))
        _ = ledger.give(first, at: .seconds(0))
        _ = ledger.give(second, at: .seconds(4))
        let early = ledger.sweep(at: .seconds(9))
        #expect(early.gone.isEmpty)
        #expect(early.pause == .seconds(1))
        let later = ledger.sweep(at: .seconds(10))
        #expect(later.gone == [first])
        #expect(later.pause == .seconds(4))
        let last = ledger.sweep(at: .seconds(14))
        #expect(last.gone == [second])
        #expect(last.pause == nil)
        #expect(ledger.waitingByteCount == 0)
    }

    @Test("one at a time sweeps, from the first block that waits until none does")
    mutating func sweeper() {
        var answers = [ledger.beginSweeping()]
        let (first, second) = (lend(1, at: 1), lend(1, at: 2))
        _ = ledger.give(first, at: .zero)
        answers.append(ledger.beginSweeping())
        _ = ledger.give(second, at: .zero)
        answers.append(ledger.beginSweeping())
        _ = ledger.sweep(at: .seconds(10))
        let third = lend(1, at: 3)
        _ = ledger.give(third, at: .seconds(11))
        answers.append(ledger.beginSweeping())
        #expect(answers == [false, true, false, true])
    }

    @Test("trimming takes the oldest first, down to what may stay")
    mutating func trim() {
        var blocks: [Block] = []
        for address in 1...3 { blocks.append(lend(1, at: UInt(address))) }
        for block in blocks { _ = ledger.give(block, at: .zero) }
        let (some, rest) = (ledger.trim(to: 1 << 20), ledger.trim(to: 0))
        #expect(some == [blocks[0], blocks[1]])
        #expect(rest == [blocks[2]])
    }
}
