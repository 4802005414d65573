#if Server
import Testing

@testable import EaselServer

struct FairQueueTests {
    @Test func `A job starts at once while there is capacity`() {
        var queue = FairQueue<String>(capacity: 10)
        #expect(queue.arrive(1, client: "a", weight: 6) == [.start(1)])
        #expect(queue.arrive(2, client: "a", weight: 4) == [.start(2)])
        #expect(queue.arrive(3, client: "a", weight: 1) == [])
        #expect(queue.inUse == 10)
        #expect(queue.waitingCount == 1)
    }

    @Test func `The next job starts when enough has ended`() {
        var queue = FairQueue<String>(capacity: 10)
        _ = queue.arrive(1, client: "a", weight: 5)
        _ = queue.arrive(2, client: "a", weight: 5)
        _ = queue.arrive(3, client: "a", weight: 8)
        #expect(queue.leave(1) == [])
        #expect(queue.leave(2) == [.start(3)])
    }

    @Test func `A light job does not pass a heavy one of its client`() {
        var queue = FairQueue<String>(capacity: 10)
        _ = queue.arrive(1, client: "a", weight: 10)
        _ = queue.arrive(2, client: "a", weight: 10)
        _ = queue.arrive(3, client: "a", weight: 1)
        #expect(queue.leave(1) == [.start(2)])
        #expect(queue.leave(2) == [.start(3)])
    }

    @Test func `A job heavier than the capacity runs alone`() {
        var queue = FairQueue<String>(capacity: 10)
        #expect(queue.arrive(1, client: "a", weight: 1_000) == [.start(1)])
        #expect(queue.arrive(2, client: "b", weight: 1) == [])
        #expect(queue.leave(1) == [.start(2)])
        #expect(queue.inUse == 1)
    }

    @Test func `Clients take turns, however many jobs one has`() {
        var queue = FairQueue<String>(capacity: 1)
        _ = queue.arrive(0, client: "many", weight: 1)
        for job in 1...100 { _ = queue.arrive(job, client: "many", weight: 1) }
        _ = queue.arrive(101, client: "few", weight: 1)
        var started: [Int] = []
        var running = 0
        for _ in 0..<3 {
            for case .start(let job) in queue.leave(running) {
                started.append(job)
                running = job
            }
        }
        #expect(started.contains(101))
    }

    @Test func `A client with heavy jobs gets as much capacity as one with light jobs`() {
        var queue = FairQueue<String>(capacity: 10)
        _ = queue.arrive(0, client: "warm", weight: 10)
        for job in 1...20 { _ = queue.arrive(job, client: "heavy", weight: 10) }
        for job in 21...220 { _ = queue.arrive(job, client: "light", weight: 1) }
        var served = ["heavy": 0, "light": 0]
        var running = [0]
        while served.values.reduce(0, +) < 100, !running.isEmpty {
            for case .start(let job) in queue.leave(running.removeFirst()) {
                running.append(job)
                if job <= 20 { served["heavy"]! += 10 } else { served["light"]! += 1 }
            }
        }
        #expect(abs(served["heavy"]! - served["light"]!) <= 20)
    }

    @Test func `A full queue refuses a job of the client that fills it`() {
        var queue = FairQueue<String>(capacity: 1, maximumWaiting: 2)
        for job in 0...2 { _ = queue.arrive(job, client: "a", weight: 1) }
        #expect(queue.arrive(3, client: "a", weight: 1) == [.refuse(3)])
    }

    @Test func `A full queue makes room for a client with fewer jobs`() {
        var queue = FairQueue<String>(capacity: 1, maximumWaiting: 3)
        for job in 0...3 { _ = queue.arrive(job, client: "many", weight: 1) }
        #expect(queue.arrive(4, client: "few", weight: 1) == [.refuse(3)])
        #expect(queue.waitingCount == 3)
    }

    @Test func `A waiting job can be cancelled`() {
        var queue = FairQueue<String>(capacity: 1)
        for job in 0...2 { _ = queue.arrive(job, client: "a", weight: 1) }
        #expect(queue.leave(1) == [])
        #expect(queue.leave(0) == [.start(2)])
    }

    @Test func `Nothing is left of clients without jobs`() {
        var queue = FairQueue<Int>(capacity: 3, maximumWaiting: 20)
        for job in 0..<200 {
            _ = queue.arrive(job, client: job % 7, weight: job % 5)
            _ = queue.leave(job - 10)
        }
        for job in 0..<200 { _ = queue.leave(job) }
        #expect(queue.clientCount == 0)
        #expect(queue.inUse == 0)
        #expect(queue.waitingCount == 0)
        #expect(queue.runningCount == 0)
    }

    @Test func `The sum of weights never exceeds the capacity in random histories`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            var queue = FairQueue<Int>(capacity: 20, maximumWaiting: 15)
            var running: Set<Int> = []
            var known: Set<Int> = []
            for job in 0..<300 {
                var actions = queue.arrive(
                    job, client: Int.random(in: 0..<4, using: &random), weight: Int.random(in: 0...25, using: &random))
                known.insert(job)
                if let ended = known.randomElement(using: &random), Bool.random(using: &random) {
                    known.remove(ended)
                    running.remove(ended)
                    actions += queue.leave(ended)
                }
                for action in actions {
                    switch action {
                    case .start(let job): running.insert(job)
                    case .refuse(let job): known.remove(job)
                    }
                }
                running.formIntersection(known)
                #expect(queue.inUse <= 20)
                #expect(queue.waitingCount <= 15)
                #expect(queue.runningCount == running.count)
                #expect(queue.waitingCount + queue.runningCount == known.count)
            }
        }
    }
}
#endif
