import Testing

@testable import EaselCore

@Suite("Deque")
struct DequeTests {
    @Test("elements leave in the order of arrival, and an empty deque returns nil")
    func order() {
        var queue = Deque<Int>()
        for job in 0..<5 { queue.append(job) }
        #expect(queue.popFirst() == 0)
        queue.append(5)
        var remaining: [Int] = []
        while let job = queue.popFirst() { remaining.append(job) }
        #expect(remaining == [1, 2, 3, 4, 5])
        #expect(queue.popFirst() == nil)
        #expect(queue.count == 0)
    }

    @Test("storage does not grow in a deque that never runs empty")
    func bounded() {
        var queue = Deque<Int>()
        for job in 0..<8 { queue.append(job) }
        for job in 8..<10_000 {
            queue.append(job)
            #expect(queue.popFirst() == job - 8)
        }
        #expect(queue.count == 8)
        #expect(queue.footprint <= 32)
    }

    @Test("elements can be removed at both ends and by a condition")
    func ends() {
        var queue = Deque<Int>()
        for number in 0..<6 { queue.append(number) }
        #expect(queue.popLast() == 5)
        #expect(queue.popFirst() == 0)
        queue.removeAll { $0 == 2 }
        #expect(queue.first == 1 && queue.last == 4 && queue.count == 3)
        while queue.popFirst() != nil {}
        #expect(queue.popLast() == nil && queue.first == nil && queue.last == nil)
    }
}
