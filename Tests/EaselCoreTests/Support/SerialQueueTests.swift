import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Serial queue", .timeLimit(.minutes(1)))
struct SerialQueueTests {
    @Test("work runs on a file thread, and its result is returned", .enabled(if: CurrentThread.hasName))
    func value() async {
        let queue = SerialQueue()
        #expect(await queue.run { CurrentThread().name } == "easel-writes")
    }

    @Test("work runs once and never concurrently")
    func oneAtATime() async {
        let queue = SerialQueue()
        let events = Recorder<Int>()
        await withTaskGroup { group in
            for number in 1...60 {
                group.addTask {
                    await queue.run {
                        events.record(number)
                        events.record(-number)
                    }
                }
            }
        }
        let pairs = stride(from: 0, to: 120, by: 2).map { (events.events[$0], events.events[$0 + 1]) }
        #expect(pairs.allSatisfy { $0 == -$1 })
        #expect(pairs.map(\.0).sorted() == Array(1...60))
    }

    @Test("work runs in the order of submission")
    func order() async {
        let queue = SerialQueue()
        let first = BlockingWork()
        let done = Recorder<Int>()
        // The single thread starts the tasks one after the other.
        let callers = WorkerPool(name: "test-callers", threadCount: 1)
        await withTaskGroup { group in
            group.addTask(executorPreference: callers) { await queue.run { first.block() } }
            await first.waitForStart()
            for number in 0..<5 {
                group.addTask(executorPreference: callers) { await queue.run { done.record(number) } }
            }
            group.addTask(executorPreference: callers) { first.release() }
        }
        #expect(done.events == [0, 1, 2, 3, 4])
    }

    @Test("reads do not wait for writes and maintenance")
    func reads() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.store("a", length: 9, used: 0)
            let writes = BlockingWork()
            let occupants = (0..<2).map { _ in Task { await WorkerPool.writes.run { writes.block() } } }
            await writes.waitForStart(2)
            #expect(await fixture.cache.path(for: "a") != nil)
            // A release ends either of them.
            for _ in occupants { writes.release() }
            for occupant in occupants { await occupant.value }
        }
    }

    @Test("settle waits for background work")
    func settles() async {
        let queue = SerialQueue()
        let work = BlockingWork()
        let log = Recorder<String>()
        queue.begin {
            work.block()
            log.record("done")
        }
        await work.waitForStart()
        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    await queue.settle()
                    log.record("settled")
                }
            }
            group.addTask { work.release() }
        }
        #expect(log.events == ["done", "settled", "settled", "settled"])
    }

    @Test("settle returns at once without work, and otherwise after all of it")
    func settlesAll() async {
        let queue = SerialQueue()
        await queue.settle()
        let done = Recorder<Int>()
        for number in 0..<50 { queue.begin { done.record(number) } }
        await queue.settle()
        #expect(done.events.count == 50)
        await queue.settle()
    }
}
