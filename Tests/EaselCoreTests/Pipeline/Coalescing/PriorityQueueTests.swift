import Testing

@testable import EaselCore

@Suite("Priority queue: admission order (R017)")
struct PriorityQueueTests {
    @Test("the limit is never exceeded, and an entry that leaves admits the next (B68)", arguments: [1, 2, 5])
    func limit(limit: Int) {
        var queue = PriorityQueue<Int, String>(limit: limit)
        let admitted = (1...9).flatMap { queue.enqueue($0, group: "", priority: .normal) }
        #expect(admitted == Array(1...limit))
        #expect(queue.runningCount == limit)
        #expect(queue.waitingCount == 9 - limit)
        #expect((1...9).flatMap { queue.leave($0) } == Array((limit + 1)...9))
        #expect(queue.runningCount == 0 && queue.waitingCount == 0)
    }

    @Test("raising the limit admits at once, and lowering it keeps running entries (B68)")
    func changedLimit() {
        var queue = fill(PriorityQueue<Int, String>(limit: 1), 1...6)
        #expect(queue.setLimit(3) == [2, 3])
        #expect(queue.setLimit(1).isEmpty)
        #expect(queue.runningCount == 3)
        #expect(queue.leave(1).isEmpty)
        #expect(queue.leave(2).isEmpty)
        #expect(queue.leave(3) == [4])
    }

    @Test("higher priority is admitted first, and equal priority in order of arrival (B69, X128)")
    func priorities() {
        var queue = PriorityQueue<Int, String>(limit: 1)
        let priorities: [LoadPriority] = [.normal, .low, .normal, .high, .low, .high]
        for (id, priority) in priorities.enumerated() { _ = queue.enqueue(id, group: "", priority: priority) }
        #expect(drain(&queue, first: 0) == [0, 3, 5, 2, 1, 4])
    }

    @Test("a raised entry is the last of its new priority, and a lowered one precedes lower ones (B69)")
    func reprioritised() {
        var queue = fill(PriorityQueue<Int, String>(limit: 1), 0...0)
        for (id, priority) in [(1, LoadPriority.high), (2, .low), (3, .high), (4, .low), (5, .normal)] {
            _ = queue.enqueue(id, group: "", priority: priority)
        }
        #expect(queue.reprioritise(2, .high).isEmpty)
        #expect(queue.reprioritise(1, .normal).isEmpty)
        #expect(queue.reprioritise(3, .high).isEmpty)
        #expect(drain(&queue, first: 0) == [0, 3, 2, 5, 1, 4])
    }

    @Test("LIFO order matches SDWebImage (X127, S144)")
    func lastInFirstOut() {
        var queue = fill(PriorityQueue<Int, String>(limit: 1, order: .lastInFirstOut), 1...7)
        var order = [1]
        while let current = order.last, let next = queue.leave(current).first {
            order.append(next)
            if next == 7 { queue = fill(queue, 8...14) }
        }
        #expect(order == [1, 7, 14, 13, 12, 11, 10, 9, 8, 6, 5, 4, 3, 2])
    }

    @Test("a waiting entry that leaves never runs, and leaving again or with an unknown ID has no effect (B70)")
    func leaving() {
        var queue = fill(PriorityQueue<Int, String>(limit: 1), 1...3)
        #expect(queue.leave(2).isEmpty)
        #expect(queue.leave(2).isEmpty)
        #expect(queue.leave(99).isEmpty)
        #expect(queue.leave(1) == [3])
        #expect(queue.leave(1).isEmpty)
        #expect(queue.runningCount == 1)
        #expect(queue.reprioritise(2, .high).isEmpty)
        #expect(queue.reprioritise(3, .high).isEmpty)
    }

    @Test("a suspended queue admits nothing and keeps running entries, and resuming admits the rest (B71)")
    func suspended() {
        var queue = fill(PriorityQueue<Int, String>(limit: 2), 1...1)
        #expect(queue.setSuspended(true).isEmpty)
        #expect(queue.enqueue(2, group: "", priority: .high).isEmpty)
        #expect(queue.enqueue(3, group: "", priority: .high).isEmpty)
        #expect(queue.setLimit(5).isEmpty)
        #expect(queue.leave(1).isEmpty)
        #expect(queue.runningCount == 0 && queue.waitingCount == 2)
        #expect(queue.setSuspended(false) == [2, 3])
        #expect(queue.setSuspended(false).isEmpty)
    }

    @Test("a held queue admits nothing until its last release (S139, X129)")
    func holding() {
        var queue = fill(PriorityQueue<Int, String>(limit: 1), 1...4)
        queue.hold()
        queue.hold()
        #expect(queue.leave(1).isEmpty)
        #expect(queue.leave(2).isEmpty)
        let isAdmitted = queue.admitAtOnce(5, group: "")
        #expect(!isAdmitted)
        // The first of two holds ends.
        let admittedHalfway = queue.release() + queue.setSuspended(false)
        #expect(admittedHalfway.isEmpty)
        let admitted = queue.release()
        #expect(admitted == [3])
    }

    @Test("a full group does not block other groups")
    func groups() {
        var queue = PriorityQueue<Int, String>(limit: 3, limitPerGroup: 1)
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

    @Test("raising the limit of a group admits at once, and lowering it keeps running entries")
    func changedGroupLimit() {
        var queue = PriorityQueue<Int, String>(limit: 9, limitPerGroup: 1)
        for id in 1...5 { _ = queue.enqueue(id, group: id == 5 ? "b" : "a", priority: .normal) }
        #expect(queue.runningCount == 2)
        #expect(queue.setLimitPerGroup(3) == [2, 3])
        #expect(queue.setLimitPerGroup(1).isEmpty)
        #expect(queue.leave(1).isEmpty)
        #expect(queue.leave(2).isEmpty)
        #expect(queue.leave(3) == [4])
    }

    @Test("an allowance admits that many entries in order (B72)")
    func allowance() {
        var queue = PriorityQueue<Int, String>(limit: 9)
        #expect(queue.setAllowance(2).isEmpty)
        #expect((1...5).flatMap { queue.enqueue($0, group: "", priority: .normal) } == [1, 2])
        #expect(queue.isHeldByAllowance)
        #expect(queue.leave(1).isEmpty)
        #expect(queue.leave(3).isEmpty)
        #expect(queue.setAllowance(1) == [4])
        #expect(queue.setAllowance(nil) == [5])
        #expect(!queue.isHeldByAllowance)
    }

    @Test("the best entry of a full group is admitted next, whatever left or changed before")
    func fullGroup() {
        var queue = PriorityQueue<Int, String>(limit: 3, limitPerGroup: 1, order: .lastInFirstOut)
        #expect(queue.enqueue(1, group: "a", priority: .low) == [1])
        for id in 2...6 { #expect(queue.enqueue(id, group: "a", priority: .normal).isEmpty) }
        #expect(queue.leave(6).isEmpty)
        #expect(queue.reprioritise(3, .high).isEmpty)
        #expect(queue.leave(1) == [3])
        #expect(queue.leave(3) == [5])
        #expect(queue.leave(5) == [4])
    }

    /// A quadratic algorithm would take minutes.
    @Test(
        "twenty thousand entries are queued, changed and removed quickly and completely",
        .timeLimit(.minutes(1)), arguments: [PriorityQueue<Int, String>.Order.firstInFirstOut, .lastInFirstOut])
    func many(order: PriorityQueue<Int, String>.Order) {
        var queue = PriorityQueue<Int, String>(limit: 4, limitPerGroup: 2, order: order)
        let all = 0..<20_000
        for id in all { _ = queue.enqueue(id, group: "host \(id % 1000)", priority: .normal) }
        for id in all where id % 3 == 0 { _ = queue.reprioritise(id, .high) }
        #expect(queue.waitingCount == all.count - 4)
        for id in all.reversed() where id % 2 == 0 { _ = queue.leave(id) }
        for id in all { _ = queue.leave(id) }
        #expect(queue.waitingCount == 0 && queue.runningCount == 0)
        #expect(queue.enqueue(-1, group: "host 1", priority: .low) == [-1])
    }

    private func fill(_ queue: PriorityQueue<Int, String>, _ ids: ClosedRange<Int>) -> PriorityQueue<Int, String> {
        var queue = queue
        for id in ids { _ = queue.enqueue(id, group: "", priority: .normal) }
        return queue
    }

    /// Returns the order in which all entries run, one after the other.
    private func drain(_ queue: inout PriorityQueue<Int, String>, first: Int) -> [Int] {
        var order = [first]
        while let current = order.last, let next = queue.leave(current).first { order.append(next) }
        return order
    }
}

extension PriorityQueue {
    mutating func setLimit(_ limit: Int) -> [Element] {
        self.limit = limit
        return admit()
    }

    mutating func setLimitPerGroup(_ limit: Int) -> [Element] {
        limitPerGroup = limit
        return admit()
    }

    mutating func setSuspended(_ isSuspended: Bool) -> [Element] {
        self.isSuspended = isSuspended
        return admit()
    }

    mutating func setAllowance(_ allowance: Int?) -> [Element] {
        self.allowance = allowance
        return admit()
    }

    mutating func hold() { holds += 1 }

    mutating func release() -> [Element] {
        holds -= 1
        return admit()
    }
}
