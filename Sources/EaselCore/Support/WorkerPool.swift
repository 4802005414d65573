import CEaselSystem
import Dispatch
import Synchronization

/// Threads for blocking calls and long computations, which must not run on Swift's cooperative threads.
///
/// Jobs run in the order of their priority, and then of their arrival. The threads start with the first job, and run
/// slightly below the priority of the main thread. If none can be started, jobs run on the threads of loads, or on
/// Swift's, so that every task ends. Each new job tries again to start the threads.
package final class WorkerPool: TaskExecutor {
    /// For reading files.
    package static let reads = WorkerPool(name: "easel-reads", threadCount: 4)
    /// For writing, removing and trimming files.
    package static let writes = WorkerPool(name: "easel-writes", threadCount: 2)
    /// For loads, with their decodes and transforms. `Admission.decodes` admits one decode less than there are threads,
    /// so that other loads can continue.
    package static let loads = WorkerPool(name: "easel-loads", threadCount: coreCount + 1)
    /// For other computations: frames of animations, encoding, placeholders.
    package static let pixels = WorkerPool(name: "easel-pixels", threadCount: coreCount)

    private struct State {
        var jobs = PriorityBuckets<UnownedJob>()
        var startedCount = 0
    }

    /// Starts a thread. Returns whether that succeeded.
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

    /// Runs `body` on one of the threads. A task on this pool stays on its thread.
    package func run<Value, Failure>(_ body: () throws(Failure) -> Value) async throws(Failure) -> Value {
        let isCurrent = withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
        if isCurrent { return try body() }
        return try await withTaskExecutorPreference(self) { () async throws(Failure) -> Value in try body() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let priority = TaskPriority(job.priority) ?? .medium
        let job = UnownedJob(job)
        let isAccepted = state.withLock { state in
            guard startIfNeeded(&state) else { return false }
            state.jobs.append(job, priority)
            return true
        }
        if isAccepted { available.signal() } else { enqueueOnFallback(job) }
    }

    /// Whether there are threads, which this starts.
    package var hasThreads: Bool { state.withLock { startIfNeeded(&$0) } }

    private func startIfNeeded(_ state: inout State) -> Bool {
        if state.startedCount > 0 { return true }
        for _ in 0..<threadCount where startThread(name, { self.work() }) { state.startedCount += 1 }
        return state.startedCount > 0
    }

    private func enqueueOnFallback(_ job: UnownedJob) {
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

/// Elements in three levels of priority, and in order of arrival within a level.
struct PriorityBuckets<Element> {
    private var high = Deque<Element>()
    private var medium = Deque<Element>()
    private var low = Deque<Element>()

    mutating func append(_ element: Element, _ priority: TaskPriority) {
        switch priority {
        case .high...: high.append(element)
        case .medium...: medium.append(element)
        default: low.append(element)
        }
    }

    /// Removes and returns the first element of the highest level.
    mutating func popFirst() -> Element? { high.popFirst() ?? medium.popFirst() ?? low.popFirst() }
}

/// Threads of the system.
package enum SystemThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread. Returns `false` if the system cannot start one.
    ///
    /// - Parameter name: At most 15 bytes.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Body(body))
        let failure = easel_thread_start(
            name,
            { context in
                guard let context else { return }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            }, context.toOpaque())
        if failure != 0 { context.release() }
        return failure == 0
    }
}

extension Task where Failure == Never {
    /// Creates a task on the threads of loads. Its operation begins on the calling thread if the system supports that.
    static func startImmediately(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Success
    ) -> Task<Success, Never> {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return Task(executorPreference: WorkerPool.loads, priority: priority, operation: operation)
        }
        return Task.immediate(priority: priority, executorPreference: WorkerPool.loads, operation: operation)
    }
}
