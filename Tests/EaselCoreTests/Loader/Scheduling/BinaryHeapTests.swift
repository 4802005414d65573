import EaselTesting
import Testing

@testable import EaselCore

@Suite("Binary heap")
struct BinaryHeapTests {
    @Test("gives the greatest first, whatever the order in which they came", arguments: 1...5)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let numbers = (0..<200).map { _ in Int.random(in: 0..<100, using: &random) }
        var grown = BinaryHeap<Int>()
        for number in numbers { grown.insert(number) }
        for var heap in [grown, BinaryHeap(numbers)] {
            #expect(heap.count == 200)
            #expect(heap.first == numbers.max())
            var drained: [Int] = []
            while let next = heap.popFirst() { drained.append(next) }
            #expect(drained == numbers.sorted(by: >))
        }
    }

    @Test("keeps what it is to keep, in order")
    func keep() {
        var heap = BinaryHeap(Array(0..<50))
        heap.keep { $0 % 7 == 0 }
        #expect(heap.count == 8)
        #expect((0..<8).map { _ in heap.popFirst() } == [49, 42, 35, 28, 21, 14, 7, 0])
        #expect(heap.popFirst() == nil && heap.first == nil)
    }
}
