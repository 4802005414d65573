import Testing

@testable import EaselCore

@Suite("Admission queue: who goes next")
struct AdmissionQueueTests {
    @Test("no more run than the limit; who leaves admits the next (B68)", arguments: [1, 2, 5])
    func limit(limit: Int) {
        var queue = AdmissionQueue<Int>(limit: limit)
        let admitted = (1...9).flatMap { queue.enqueue($0, group: "", priority: .normal) }
        #expect(admitted == Array(1...limit))
        #expect(queue.runningCount == limit)
        #expect(queue.waitingCount == 9 - limit)
        #expect((1...9).flatMap { queue.leave($0) } == Array((limit + 1)...9))
        #expect(queue.runningCount == 0 && queue.waitingCount == 0)
    }

    @Test("raising the limit admits at once, lowering it lets run who runs (B68)")
    func changedLimit() {
        var queue = filled(AdmissionQueue<Int>(limit: 1), 1...6)
        #expect(queue.setLimit(3) == [2, 3])
        #expect(queue.setLimit(1).isEmpty)
        #expect(queue.runningCount == 3)
        #expect(queue.leave(1).isEmpty)
        #expect(queue.leave(2).isEmpty)
        #expect(queue.leave(3) == [4])
    }

    @Test("the more urgent goes first, and of equals the first to come (B69)")
    func priorities() {
        var queue = AdmissionQueue<Int>(limit: 1)
        let priorities: [LoadPriority] = [.normal, .low, .normal, .high, .low, .high]
        for (id, priority) in priorities.enumerated() { _ = queue.enqueue(id, group: "", priority: priority) }
        #expect(drained(&queue, first: 0) == [0, 3, 5, 2, 1, 4])
    }

    @Test("raised: behind its new equals; lowered: ahead of lower ones (B69)")
    func reprioritised() {
        var queue = filled(AdmissionQueue<Int>(limit: 1), 0...0)
        for (id, priority) in [(1, LoadPriority.high), (2, .low), (3, .high), (4, .low), (5, .normal)] {
            _ = queue.enqueue(id, group: "", priority: priority)
        }
        #expect(queue.reprioritise(2, .high).isEmpty)
        #expect(queue.reprioritise(1, .normal).isEmpty)
        #expect(queue.reprioritise(3, .high).isEmpty)
        #expect(drained(&queue, first: 0) == [0, 3, 2, 5, 1, 4])
    }

    @Test("last in, first out gives SDWebImage's order (X127)")
    func lastInFirstOut() {
        var queue = filled(AdmissionQueue<Int>(limit: 1, order: .lastInFirstOut), 1...7)
        var order = [1]
        while let current = order.last, let next = queue.leave(current).first {
            order.append(next)
            if next == 7 { queue = filled(queue, 8...14) }
        }
        #expect(order == [1, 7, 14, 13, 12, 11, 10, 9, 8, 6, 5, 4, 3, 2])
    }

    @Test("who waits and leaves never runs; leaving twice, or unknown, is harmless (B70)")
    func leaving() {
        var queue = filled(AdmissionQueue<Int>(limit: 1), 1...3)
        #expect(queue.leave(2).isEmpty)
        #expect(queue.leave(2).isEmpty)
        #expect(queue.leave(99).isEmpty)
        #expect(queue.leave(1) == [3])
        #expect(queue.leave(1).isEmpty)
        #expect(queue.runningCount == 1)
        #expect(queue.reprioritise(2, .high).isEmpty)
        #expect(queue.reprioritise(3, .high).isEmpty)
    }

    @Test("suspended: nobody starts, who runs goes on; resumed, it drains (B71)")
    func suspended() {
        var queue = filled(AdmissionQueue<Int>(limit: 2), 1...1)
        #expect(queue.setSuspended(true).isEmpty)
        #expect(queue.enqueue(2, group: "", priority: .high).isEmpty)
        #expect(queue.enqueue(3, group: "", priority: .high).isEmpty)
        #expect(queue.setLimit(5).isEmpty)
        #expect(queue.leave(1).isEmpty)
        #expect(queue.runningCount == 0 && queue.waitingCount == 2)
        #expect(queue.setSuspended(false) == [2, 3])
        #expect(queue.setSuspended(false).isEmpty)
    }

    @Test("a full group does not hold up the others")
    func groups() {
        var queue = AdmissionQueue<Int>(limit: 3, limitPerGroup: 1)
        #expect(queue.enqueue(1, group: "a", priority: .normal) == [1])
        #expect(queue.enqueue(2, group: "a", priority: .high).isEmpty)
        #expect(queue.enqueue(3, group: "b", priority: .low) == [3])
        #expect(queue.enqueue(4, group: "b", priority: .low).isEmpty)
        #expect(queue.leave(3) == [4])
        #expect(queue.leave(1) == [2])
        #expect(queue.enqueue(5, group: "c", priority: .low) == [5])
        #expect(queue.runningCount == 3)
        #expect(queue.enqueue(6, group: "d", priority: .low).isEmpty)
    }

    private func filled(_ queue: AdmissionQueue<Int>, _ ids: ClosedRange<Int>) -> AdmissionQueue<Int> {
        var queue = queue
        for id in ids { _ = queue.enqueue(id, group: "", priority: .normal) }
        return queue
    }

    /// The order in which all run, one after the other.
    private func drained(_ queue: inout AdmissionQueue<Int>, first: Int) -> [Int] {
        var order = [first]
        while let current = order.last, let next = queue.leave(current).first { order.append(next) }
        return order
    }
}
