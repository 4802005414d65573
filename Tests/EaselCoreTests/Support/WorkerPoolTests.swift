import Dispatch
import EaselFoundation
import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Worker pool", .timeLimit(.minutes(1)))
struct WorkerPoolTests {
    private static let pool = WorkerPool(name: "test-pool", threadCount: 3)

    // Only on systems that report thread names.
    @Test("a job runs on a named thread of the pool", .enabled(if: CurrentThread.hasName))
    func ownThread() async {
        let caller = CurrentThread()
        let worker = await Self.pool.run { CurrentThread() }
        #expect(worker.name == "test-pool")
        #expect(worker.identity != caller.identity)
    }

    @Test("the caller continues on another thread", .enabled(if: CurrentThread.hasName))
    func callerReturns() async {
        _ = await Self.pool.run { 1 }
        #expect(CurrentThread().name != "test-pool")
    }

    @Test("run returns the result of the job")
    func value() async {
        #expect(await Self.pool.run { 6 * 7 } == 42)
    }

    @Test("run throws the error of the job")
    func typedError() async {
        await #expect(throws: ImageError.status(404)) {
            try await Self.pool.run { () throws(ImageError) -> Int in throw .status(404) }
        }
    }

    @Test("each of many jobs runs once, on no more threads than configured")
    func manyJobs() async {
        let order = Recorder<(job: Int, thread: CurrentThread)>()
        await withTaskGroup { group in
            for job in 0..<2_000 {
                group.addTask {
                    await Self.pool.run { order.record((job, CurrentThread())) }
                }
            }
        }
        #expect(order.events.map(\.job).sorted() == Array(0..<2_000))
        #expect(Set(order.events.map(\.thread)).count <= 3)
    }

    #if os(Linux)
    @Test("threads run slightly below the priority of the main thread, even if started by one of them")
    func threadPriority() async {
        let niceness: @Sendable (id_t) -> Int32 = { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), $0) }
        let main = niceness(id_t(getpid()))
        let (first, second) = (
            WorkerPool(name: "test-first", threadCount: 1), WorkerPool(name: "test-second", threadCount: 1)
        )
        let nested = Task(executorPreference: first) { await second.run { niceness(0) } }
        #expect(await first.run { niceness(0) } == min(main + 2, 19))
        #expect(await nested.value == min(main + 2, 19))
    }
    #endif

    @Test("jobs run by task priority, then in the order of submission")
    func priorities() async {
        let pool = WorkerPool(name: "test-priorities", threadCount: 1)
        let first = BlockingWork()
        let order = Recorder<String>()
        let occupant = Task(executorPreference: pool) { first.block() }
        await first.waitForStart()
        let jobs: [(TaskPriority, String)] = [
            (.background, "background"), (.low, "low"), (.medium, "medium"), (.high, "high"), (.low, "second low"),
            (.high, "second high"),
        ]
        let tasks = jobs.map { priority, name in
            Task(executorPreference: pool, priority: priority) { order.record(name) }
        }
        first.release()
        await order.wait(for: tasks.count)
        await occupant.value
        #expect(order.events == ["high", "second high", "medium", "background", "low", "second low"])
    }

    @Test("blocking jobs do not block the threads of Swift concurrency")
    func blocking() async {
        // More blocked jobs than Swift has threads. On those threads, no task could release them.
        let count = coreCount * 2 + 2
        let pool = WorkerPool(name: "test-blocking", threadCount: count)
        let blocked = DispatchSemaphore(value: 0)
        let finished = await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    await pool.run { blocked.wait() }
                    return true
                }
            }
            group.addTask {
                for _ in 0..<count { blocked.signal() }
                return true
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(finished == count + 1)
    }

    @Test("a task that prefers the pool stays on its thread, and other jobs do not wait for it")
    func preferring() async {
        let pool = WorkerPool(name: "test-preferred", threadCount: 2)
        let done = DispatchSemaphore(value: 0)
        // The pool now runs one job after the other.
        for _ in 0..<20 { await pool.run {} }
        let isSame = await Task(executorPreference: pool) {
            let before = CurrentThread()
            let inside = await pool.run { CurrentThread() }
            Task { await pool.run { _ = done.signal() } }
            done.wait()
            return inside.identity == before.identity
        }.value
        #expect(isSame)
    }

    @Test("without threads jobs run elsewhere, and the next job tries to start threads again")
    func noThreads() async {
        let attempts = Recorder<String>()
        let pool = WorkerPool(name: "test-none", threadCount: 2) { name, body in
            attempts.record(name)
            return attempts.events.count > 4 && SystemThread.start(name, body)
        }
        #expect(!pool.hasThreads)
        #expect(attempts.events == ["test-none", "test-none"])
        #expect(await pool.run { 1 } == 1)
        #expect(await Task(executorPreference: pool) { 2 }.value == 2)
        #expect(pool.hasThreads)
    }

    @Test("a pool with fewer threads runs all jobs")
    func fewThreads() async {
        let attempts = Recorder<String>()
        let pool = WorkerPool(name: "test-few", threadCount: 3) { name, body in
            attempts.record(name)
            return attempts.events.count == 2 && SystemThread.start(name, body)
        }
        for number in 0..<20 { #expect(await pool.run { number } == number) }
        #expect(attempts.events.count == 3)
    }

    /// Recurses until the calls take more than `byteCount` bytes of stack, and returns their number.
    @inline(never)
    private static func callDepth(taking byteCount: UInt, from start: UInt? = nil) -> Int {
        var mark: UInt8 = 0
        let address = withUnsafePointer(to: &mark) { UInt(bitPattern: $0) }
        let start = start ?? address
        if max(start, address) - min(start, address) > byteCount { return 1 }
        return callDepth(taking: byteCount, from: start) + 1
    }

    @Test("threads have a stack for 6 MB of nested calls, whatever the default of the system")
    func stack() async {
        #expect(await Self.pool.run { Self.callDepth(taking: 6 << 20) } > 1)
    }

    @Test("work continues after nested jobs")
    func nested() async {
        let value = await Self.pool.run { 1 } + Self.pool.run { 2 } + WorkerPool.reads.run { 3 }
        #expect(value == 6)
    }
}
