import Testing

@testable import EaselCore

@Suite("Job queue")
struct JobQueueTests {
    @Test("gives what came first, first, and nothing once it is empty")
    func order() {
        var queue = JobQueue<Int>()
        for job in 0..<5 { queue.append(job) }
        #expect(queue.takeFirst() == 0)
        queue.append(5)
        var rest: [Int] = []
        while let job = queue.takeFirst() { rest.append(job) }
        #expect(rest == [1, 2, 3, 4, 5])
        #expect(queue.takeFirst() == nil)
        #expect(queue.count == 0)
    }

    @Test("does not grow where it never runs empty")
    func bounded() {
        var queue = JobQueue<Int>()
        for job in 0..<8 { queue.append(job) }
        for job in 8..<10_000 {
            queue.append(job)
            #expect(queue.takeFirst() == job - 8)
        }
        #expect(queue.count == 8)
        #expect(queue.placeCount <= 32)
    }
}
