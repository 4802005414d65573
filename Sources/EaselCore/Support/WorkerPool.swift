import CEaselSystem
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A few threads of Easel's own, for calls that block, files and codecs, and for what leads from one to the next.
///
/// Swift's cooperative threads are as many as there are cores and must never wait; libdispatch's threads starve them
/// on Linux. These start with the first job and live as long as the process.
package final class WorkerPool: TaskExecutor {
    /// For files. Reads mostly come from the page cache, so that a few threads keep a disk busy.
    package static let files = WorkerPool(name: "easel-files", threadCount: 4, niceness: 0)
    /// For the steps of loads, and for their codecs and transforms, which then need no other thread: where each hop between
    /// threads was to one of another kind, loads took a twentieth more of the processor. Of a manager's codecs and transforms no more
    /// are at work than there are cores (`PixelWork`), so that a thread is left for the steps of other loads.
    package static let loads = WorkerPool(name: "easel-loads", threadCount: coreCount + 1, niceness: 5)
    /// For other codecs and transforms: one thread a core, a step below the main thread so that frames are not missed.
    package static let pixels = WorkerPool(name: "easel-pixels", threadCount: coreCount, niceness: 5)

    private struct State {
        var line = WorkerLine<UnownedJob>()
        var isStarted = false
        /// Steps below the process.
        var niceness: Int32
        var threads: [Int32] = []
    }

    private let name: String
    private let threadCount: Int
    private let state: Mutex<State>
    private let available = DispatchSemaphore(value: 0)
    /// Whether a job waits, for the thread that looks for one.
    private let isWaiting = Atomic(false)
    /// When that thread last looked, and when the last job was done.
    private let lastLook = Atomic<UInt64>(0)

    init(name: String, threadCount: Int, niceness: Int32) {
        self.name = name
        self.threadCount = threadCount
        state = Mutex(State(niceness: niceness))
    }

    /// Has all pools give way to the calling thread, which draws. A frame comes late where that waits for another thread's slice of a
    /// processor: with two of them, half of the late frames of a list that scrolled while its pictures came were these.
    package static func giveWayToDrawing() {
        ThreadSlice.set(microseconds: 200)
        files.setNiceness(5)
        loads.setNiceness(10)
        pixels.setNiceness(10)
    }

    /// Has the threads run so many steps below the process from now on. The system lets no thread rise again.
    func setNiceness(_ niceness: Int32) {
        state.withLock { state in
            state.niceness = niceness
            for thread in state.threads { easel_thread_set_niceness(thread, niceness) }
        }
    }

    /// Runs `body` on one of the threads. The caller's thread is free meanwhile.
    package func run<Value, Failure>(_ body: () throws(Failure) -> Value) async throws(Failure) -> Value {
        if isCurrent { return try body() }
        return try await withTaskExecutorPreference(self) { () async throws(Failure) -> Value in
            defer { finishJob() }
            return try body()
        }
    }

    /// Whether the task lives here already: then it stays on its thread after `body`, which is not about to look for a job.
    private var isCurrent: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let now = Self.now
        let (mustStart, mustWake) = state.withLock { state in
            let mustWake = state.line.append(job, at: now, lastLook: lastLook.load(ordering: .relaxed))
            isWaiting.store(true, ordering: .releasing)
            defer { state.isStarted = true }
            return (!state.isStarted, mustWake)
        }
        if mustStart { start() }
        if mustWake { available.signal() }
    }

    private func start() {
        for _ in 0..<threadCount {
            // The pool outlives its threads: it is kept by this reference for good.
            let context = Unmanaged.passRetained(self)
            let failure = easel_thread_start(
                name,
                { context in
                    guard let context else { return }
                    Unmanaged<WorkerPool>.fromOpaque(context).takeUnretainedValue().work()
                }, context.toOpaque())
            // Out of threads: those that did start do the work. With none, the process could not run anyway.
            if failure != 0 { context.release() }
        }
    }

    private func work() {
        let thread = easel_thread_id()
        state.withLock { state in
            state.threads.append(thread)
            easel_thread_set_niceness(thread, state.niceness)
        }
        while true {
            available.wait()
            var job = take { $0.take() }
            while let next = job {
                next.runSynchronously(on: asUnownedTaskExecutor())
                job = nextSoon()
            }
        }
    }

    /// Told before who waits for the job is woken, so that no other thread is woken for what it asks for next.
    private func finishJob() {
        let now = Self.now
        state.withLock { state in
            lastLook.store(now, ordering: .relaxed)
            state.line.finish(at: now)
        }
    }

    /// The next job, if one is expected and comes soon.
    private func nextSoon() -> UnownedJob? {
        guard state.withLock({ $0.line.beginWatch() }) else { return nil }
        let end = Self.now + WorkerLine<UnownedJob>.patience
        while !isWaiting.load(ordering: .acquiring) {
            let now = Self.now
            lastLook.store(now, ordering: .relaxed)
            if now > end { break }
            // Who needs this processor gets it.
            sched_yield()
        }
        return take { $0.endWatch() }
    }

    private func take(_ body: (inout WorkerLine<UnownedJob>) -> UnownedJob?) -> UnownedJob? {
        state.withLock { state in
            let job = body(&state.line)
            isWaiting.store(!state.line.isEmpty, ordering: .relaxed)
            return job
        }
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
