import Dispatch
import EaselCore
import Synchronization

/// An executor that runs uninterruptible library calls on separate threads, so that the caller can stop waiting for
/// them.
///
/// Abandoned work runs to its end, and its result is dropped. No work of a format begins while as many of its jobs as
/// there are processors are abandoned, or while all abandoned jobs use more than an eighth of the memory. Callers can
/// stop waiting for that. If the jobs have exceeded their time limit, work fails immediately, because they may never
/// end.
final class AbandonableWork: Sendable {
    /// The work of the whole process.
    static let shared = AbandonableWork(
        AbandonmentLedger(maximumJobs: coreCount, maximumBytes: MemoryAllowance.ofProcess.byteCount / 8))

    private let ledger: Mutex<AbandonmentLedger>
    private let start = ContinuousClock.now
    private static let checkInterval = DispatchTimeInterval.milliseconds(5)

    init(_ ledger: AbandonmentLedger) { self.ledger = Mutex(ledger) }

    /// The number of abandoned jobs that still run.
    var jobCount: Int { ledger.withLock { $0.jobCount } }

    private var now: Duration { .now - start }

    /// Runs `body` and waits for it.
    ///
    /// - Parameters:
    ///   - format: The format of the file.
    ///   - byteCount: The approximate memory of `body`.
    ///   - limit: The time that `body` should take at most.
    ///   - interruption: Called every 5 ms on the calling thread. Ends the wait by returning an error.
    ///   - body: The work. Its argument returns whether the caller has stopped waiting.
    /// - Throws: The errors of `interruption` and `body`; `ImageError.unsupported` while abandoned jobs do not end.
    func run<Value: Sendable>(
        _ format: ImageFormat, byteCount: Int, limit: Duration, interruption: () -> ImageError?,
        _ body: @escaping @Sendable (_ isAbandoned: @escaping @Sendable () -> Bool) throws(ImageError) -> Value
    ) throws(ImageError) -> Value {
        // The process that started a worker ends it, instead of leaving work.
        if IsolatedProcess.isCurrent { return try body { false } }
        let job = Job<Value>()
        let work = AbandonmentLedger.Job(format: format, byteCount: byteCount, due: now + limit)
        while !ledger.withLock({ $0.allows(work) }) {
            if let error = interruption() { throw error }
            if ledger.withLock({ $0.isStuck(format, at: now) }) { throw Self.stuck(format) }
            _ = job.done.wait(timeout: .now() + Self.checkInterval)
        }
        // The thread inherits the priority of the calling one.
        let isStarted = SystemThread.start("easel-decode") {
            let outcome = Result { () throws(ImageError) in try body { job.state.withLock { $0.number != nil } } }
            let number = job.state.withLock { state in
                if state.number == nil { state.outcome = outcome }
                return state.number
            }
            if let number { self.ledger.withLock { $0.end(number) } }
            job.done.signal()
        }
        // Without a thread, the caller cannot stop waiting.
        guard isStarted else { return try body { false } }
        while job.done.wait(timeout: .now() + Self.checkInterval) == .timedOut {
            guard let error = interruption() else { continue }
            job.state.withLock { state in
                if state.outcome == nil { state.number = ledger.withLock { $0.begin(work) } }
            }
            throw error
        }
        guard let outcome = job.state.withLock({ $0.outcome.take() }) else { throw .cancelled }
        return try outcome.get()
    }

    private static func stuck(_ format: ImageFormat) -> ImageError {
        .unsupported(
            "Earlier \(format.name) images exceeded their decoding time and are still being decoded. A sandbox can end such "
                + "decodes: see the module EaselSandbox.")
    }

    private final class Job<Value: Sendable>: Sendable {
        struct State {
            var outcome: Result<Value, ImageError>?
            /// The number of the abandoned job.
            var number: Int?
        }

        let done = DispatchSemaphore(value: 0)
        let state = Mutex(State())
    }
}

/// A ledger that counts abandoned jobs and their memory.
struct AbandonmentLedger {
    struct Job {
        var format: ImageFormat
        var byteCount: Int
        /// The time at which it should have ended.
        var due: Duration
    }

    /// The most jobs of a format.
    let maximumJobs: Int
    /// The most memory of all jobs.
    let maximumBytes: Int
    private var jobs: [Int: Job] = [:]
    private var lastNumber = 0

    init(maximumJobs: Int, maximumBytes: Int) {
        self.maximumJobs = maximumJobs
        self.maximumBytes = maximumBytes
    }

    var jobCount: Int { jobs.count }

    /// Whether a job may begin. One always may if there is no abandoned job.
    func allows(_ job: Job) -> Bool {
        jobs.isEmpty
            || (jobs.values.count { $0.format == job.format } < maximumJobs
                && jobs.values.reduce(counted(job)) { $0 + counted($1) } <= maximumBytes)
    }

    /// Whether as many jobs of the format as are allowed have exceeded their time.
    func isStuck(_ format: ImageFormat, at now: Duration) -> Bool {
        jobs.values.count { $0.format == format && $0.due <= now } >= maximumJobs
    }

    /// Adds a job that is abandoned. Returns its number.
    mutating func begin(_ job: Job) -> Int {
        lastNumber += 1
        jobs[lastNumber] = job
        return lastNumber
    }

    /// Removes an abandoned job that has ended.
    mutating func end(_ number: Int) {
        precondition(jobs.removeValue(forKey: number) != nil, "Work has ended twice")
    }

    /// At most one byte over the limit, so that sums do not overflow.
    private func counted(_ job: Job) -> Int { min(job.byteCount, maximumBytes + 1) }
}
