import Dispatch
import Testing

@testable import EaselCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("Worker pool", .timeLimit(.minutes(1)))
struct WorkerPoolTests {
    private static let pool = WorkerPool(name: "test-pool", threadCount: 3, niceness: 0)

    // Only where the system tells threads' names.
    @Test("runs a job on a thread of its own, by name", .enabled(if: CurrentThread.hasName))
    func ownThread() async {
        let caller = CurrentThread()
        let worker = await Self.pool.run { CurrentThread() }
        #expect(worker.name == "test-pool")
        #expect(worker.identity != caller.identity)
    }

    @Test("gives the caller its own threads back", .enabled(if: CurrentThread.hasName))
    func callerReturns() async {
        _ = await Self.pool.run { 1 }
        #expect(CurrentThread().name != "test-pool")
    }

    @Test("returns what the job returns")
    func value() async {
        #expect(await Self.pool.run { 6 * 7 } == 42)
    }

    @Test("throws the error that the job throws")
    func typedError() async {
        await #expect(throws: ImageError.status(404)) {
            try await Self.pool.run { () throws(ImageError) -> Int in throw .status(404) }
        }
    }

    @Test("runs each of many jobs once, on no more threads than it has")
    func manyJobs() async {
        let ran = Recorder<(job: Int, thread: CurrentThread)>()
        await withTaskGroup { group in
            for job in 0..<2_000 {
                group.addTask {
                    await Self.pool.run { ran.record((job, CurrentThread())) }
                }
            }
        }
        #expect(ran.events.map(\.job).sorted() == Array(0..<2_000))
        #expect(Set(ran.events.map(\.thread)).count <= 3)
    }

    #if os(Linux)
    @Test("its threads are nicer than the process, before and behind the start")
    func niceness() async {
        func niceness(_ thread: id_t) -> Int32 { getpriority(Int32(PRIO_PROCESS.rawValue), thread) }
        let process = niceness(id_t(getpid()))
        let pool = WorkerPool(name: "test-niceness", threadCount: 1, niceness: 1)
        #expect(await pool.run { niceness(0) } == process + 1)
        pool.setNiceness(3)
        #expect(await pool.run { niceness(0) } == process + 3)
    }
    #endif

    @Test("jobs that block do not hold up Swift's own threads")
    func blocking() async {
        // More blocked jobs than Swift has threads: had they taken those, nobody would be left to let them go.
        let count = coreCount * 2 + 2
        let pool = WorkerPool(name: "test-blocking", threadCount: count, niceness: 0)
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

    @Test("a task that lives on the pool stays on its thread, and jobs that come meanwhile do not wait for it")
    func preferring() async {
        let pool = WorkerPool(name: "test-preferred", threadCount: 2, niceness: 0)
        let done = DispatchSemaphore(value: 0)
        // As one after the other as a pool can be asked.
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

    @Test("work after a job that waited for another runs on")
    func nested() async {
        let value = await Self.pool.run { 1 } + Self.pool.run { 2 } + WorkerPool.files.run { 3 }
        #expect(value == 6)
    }
}
