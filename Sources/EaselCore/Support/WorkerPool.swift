import CEaselSystem
import Dispatch
import Synchronization

/// A fixed number of threads for calls that block and for long computations. Swift's cooperative threads, which are as many as the
/// processors, must do neither.
///
/// Jobs run in the order of their tasks' priorities, and of one priority in the order in which they came. The threads start with the
/// first job, live as long as the process, and run a little below the priority of the main thread.
///
/// If no thread can be started, jobs run on the threads of loads, or on Swift's: every task ends. A load then ends with an error
/// (`Sharing`). Each new job tries to start the threads again.
package final class WorkerPool: TaskExecutor {
    /// For reading files. Most reads come from the page cache, so that a few threads keep a disk busy.
    package static let reads = WorkerPool(name: "easel-reads", threadCount: 4)
    /// For writing, removing and trimming files: no read waits for these.
    package static let writes = WorkerPool(name: "easel-writes", threadCount: 2)
    /// For the steps of loads, and for their decodes and transforms, which need no change of thread so. `Admission.decodes` admits one
    /// decode less than there are threads, so that one is left for the steps of other loads.
    package static let loads = WorkerPool(name: "easel-loads", threadCount: coreCount + 1)
    /// For other computations on pixels: frames of animations, encoding, placeholders.
    package static let pixels = WorkerPool(name: "easel-pixels", threadCount: coreCount)

    private struct State {
        var jobs = PriorityBuckets<UnownedJob>()
        var startedCount = 0
    }

    /// Starts a thread with a name. Returns whether there is one.
    typealias ThreadStarter = @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool

    private let name: String
    private let threadCount: Int
    private let startThread: ThreadStarter
    private let state = Mutex(State())
    /// Counts the jobs that no thread has taken.
    private let available = DispatchSemaphore(value: 0)

    init(name: String, threadCount: Int, startThread: @escaping ThreadStarter = SystemThread.start) {
        self.name = name
        self.threadCount = threadCount
        self.startThread = startThread
    }

    /// Runs `body` on one of the threads, with the priority of the calling task. The caller's thread is free meanwhile.
    package func run<Value, Failure>(_ body: () throws(Failure) -> Value) async throws(Failure) -> Value {
        if isCurrent { return try body() }
        return try await withTaskExecutorPreference(self) { () async throws(Failure) -> Value in try body() }
    }

    /// Whether the task runs on this pool already: then it stays on its thread.
    private var isCurrent: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let priority = TaskPriority(job.priority) ?? .medium
        let job = UnownedJob(job)
        let isTaken = state.withLock { state in
            guard startIfNeeded(&state) else { return false }
            state.jobs.append(job, priority)
            return true
        }
        if isTaken { available.signal() } else { enqueueElsewhere(job) }
    }

    /// Whether there is a thread for jobs. Starts the threads where there is none.
    package var hasThreads: Bool { state.withLock { startIfNeeded(&$0) } }

    /// Returns whether there is a thread. If some cannot be started, those that are do the work.
    private func startIfNeeded(_ state: inout State) -> Bool {
        if state.startedCount > 0 { return true }
        // The threads keep the pool for good.
        for _ in 0..<threadCount where startThread(name, { self.work() }) { state.startedCount += 1 }
        return state.startedCount > 0
    }

    /// A job has to run somewhere: its task would never end.
    private func enqueueElsewhere(_ job: UnownedJob) {
        if self !== Self.loads, Self.loads.hasThreads {
            Self.loads.enqueue(ExecutorJob(job))
        } else {
            globalConcurrentExecutor.enqueue(ExecutorJob(job))
        }
    }

    private func work() {
        easel_thread_lower_priority()
        while true {
            available.wait()
            let job = state.withLock { $0.jobs.popFirst() }
            job?.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
