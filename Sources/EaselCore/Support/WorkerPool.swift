import CEaselSystem
import Dispatch
import Synchronization

/// A few threads of Easel's own, for calls that block: files and codecs.
///
/// Swift's cooperative threads are as many as there are cores and must never wait; libdispatch's threads starve them
/// on Linux. These start with the first job and live as long as the process.
package final class WorkerPool: TaskExecutor {
    /// For files. Reads mostly come from the page cache, so that a few threads keep a disk busy.
    package static let files = WorkerPool(name: "easel-files", threadCount: 4, niceness: 0)
    /// For codecs and transforms: one thread a core, a step below the main thread so that frames are not missed.
    package static let pixels = WorkerPool(name: "easel-pixels", threadCount: coreCount, niceness: 5)

    private struct State {
        var jobs = JobQueue<UnownedJob>()
        var isStarted = false
    }

    private let name: String
    private let threadCount: Int
    private let niceness: Int32
    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    init(name: String, threadCount: Int, niceness: Int32) {
        self.name = name
        self.threadCount = threadCount
        self.niceness = niceness
    }

    /// Runs `body` on one of the threads. The caller's thread is free meanwhile.
    package func run<Value>(_ body: () throws(ImageError) -> Value) async throws(ImageError) -> Value {
        try await withTaskExecutorPreference(self) { () async throws(ImageError) -> Value in try body() }
    }

    /// The same for what cannot fail.
    package func finish<Value>(_ body: () -> Value) async -> Value {
        await withTaskExecutorPreference(self) { () async -> Value in body() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustStart = state.withLock { state in
            state.jobs.append(job)
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if mustStart { start() }
        available.signal()
    }

    private func start() {
        for _ in 0..<threadCount {
            // The pool outlives its threads: it is kept by this reference for good.
            let context = Unmanaged.passRetained(self)
            let failure = easel_thread_start(
                name, niceness,
                { context in
                    guard let context else { return }
                    Unmanaged<WorkerPool>.fromOpaque(context).takeUnretainedValue().work()
                }, context.toOpaque())
            // Out of threads: those that did start do the work. With none, the process could not run anyway.
            if failure != 0 { context.release() }
        }
    }

    private func work() {
        while true {
            available.wait()
            if let job = state.withLock({ $0.jobs.takeFirst() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
