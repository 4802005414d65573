import Dispatch
import Synchronization

/// Runs library calls that cannot be interrupted on their own threads, so that the caller can leave.
///
/// Abandoned work runs to its end, and its result is dropped. No work begins while as many jobs as there are processors
/// are abandoned, or while they use more than an eighth of the memory. Callers can leave while they wait for that.
package final class AbandonableWork: Sendable {
    /// The work of the whole process.
    package static let shared = AbandonableWork(
        AbandonmentLedger(maximumJobs: coreCount, maximumBytes: MemoryAllowance.ofProcess.byteCount / 8))

    private let ledger: Mutex<AbandonmentLedger>
    private static let checkInterval = DispatchTimeInterval.milliseconds(5)

    init(_ ledger: AbandonmentLedger) { self.ledger = Mutex(ledger) }

    /// The number of abandoned jobs that still run.
    var jobCount: Int { ledger.withLock { $0.jobCount } }

    /// Runs `body` and waits for it.
    ///
    /// - Parameters:
    ///   - byteCount: The approximate memory of `body`.
    ///   - interruption: Called every 5 ms on the calling thread. Ends the wait by returning an error.
    ///   - body: The work. Its argument returns whether the caller has left.
    /// - Throws: The errors of `interruption` and `body`.
    package func run<Value: Sendable>(
        byteCount: Int, interruption: () -> ImageError?,
        _ body: @escaping @Sendable (_ isAbandoned: @escaping @Sendable () -> Bool) throws(ImageError) -> Value
    ) throws(ImageError) -> Value {
        let job = Job<Value>()
        while !ledger.withLock({ $0.allows(byteCount) }) {
            if let error = interruption() { throw error }
            _ = job.done.wait(timeout: .now() + Self.checkInterval)
        }
        // The thread inherits the priority of the calling one.
        let isStarted = SystemThread.start("easel-decode") {
            let outcome = Result { () throws(ImageError) in try body { job.state.withLock { $0.isAbandoned } } }
            let wasAbandoned = job.state.withLock { state in
                if !state.isAbandoned { state.outcome = outcome }
                return state.isAbandoned
            }
            if wasAbandoned { self.ledger.withLock { $0.end(byteCount) } }
            job.done.signal()
        }
        // Without a thread, the caller cannot leave.
        guard isStarted else { return try body { false } }
        while job.done.wait(timeout: .now() + Self.checkInterval) == .timedOut {
            guard let error = interruption() else { continue }
            job.state.withLock { state in
                state.isAbandoned = state.outcome == nil
                if state.isAbandoned { ledger.withLock { $0.begin(byteCount) } }
            }
            throw error
        }
        guard let outcome = job.state.withLock({ $0.outcome.take() }) else { throw .cancelled }
        return try outcome.get()
    }

    private final class Job<Value: Sendable>: Sendable {
        struct State {
            var outcome: Result<Value, ImageError>?
            var isAbandoned = false
        }

        let done = DispatchSemaphore(value: 0)
        let state = Mutex(State())
    }
}

/// Counts abandoned jobs and their memory.
struct AbandonmentLedger {
    let maximumJobs: Int
    let maximumBytes: Int
    private(set) var jobCount = 0
    private(set) var byteCount = 0

    /// Whether a job that needs `bytes` may begin. One always may if there is no abandoned job.
    func allows(_ bytes: Int) -> Bool {
        jobCount == 0 || (jobCount < maximumJobs && byteCount + counted(bytes) <= maximumBytes)
    }

    /// Adds a job that is abandoned.
    mutating func begin(_ bytes: Int) {
        jobCount += 1
        byteCount += counted(bytes)
    }

    /// Removes an abandoned job that has ended.
    mutating func end(_ bytes: Int) {
        precondition(jobCount > 0 && byteCount >= counted(bytes), "Work has ended twice")
        jobCount -= 1
        byteCount -= counted(bytes)
    }

    /// At most one byte over the limit, so that sums do not overflow.
    private func counted(_ bytes: Int) -> Int { min(bytes, maximumBytes + 1) }
}
