import Dispatch
import Synchronization

/// Work in long calls of libraries that nothing can interrupt, done on a thread of its own so that who waits for it can
/// leave.
///
/// What is left runs to the end of the call that it is in, asks `isAbandoned` there, and gives its memory back; nobody sees
/// what came of it. So that abandoned work does not pile up, no other job begins while as many as there are cores are left, or
/// while they hold more than an eighth of the memory. A caller that waits to begin can leave too.
package final class AbandonableWork: Sendable {
    /// That of the whole process.
    package static let shared = AbandonableWork(
        AbandonmentLedger(mostJobs: coreCount, mostBytes: MemoryAllowance.ofProcess.byteCount / 8))

    private let ledger: Mutex<AbandonmentLedger>
    /// How often the caller looks whether it still wants to wait: a quarter of what a cancelled load may take.
    private static let patience = DispatchTimeInterval.milliseconds(5)

    init(_ ledger: AbandonmentLedger) {
        self.ledger = Mutex(ledger)
    }

    /// Jobs that go on though nobody waits for them.
    var jobCount: Int { ledger.withLock { $0.jobCount } }

    /// Does `body`, and waits for it.
    ///
    /// - Parameters:
    ///   - byteCount: about what `body` holds of memory.
    ///   - interruption: asked every 5 ms by the thread that waits; what it gives is thrown.
    ///   - body: is handed the question whether anybody still waits.
    /// - Throws: what `interruption` gives, before or while `body` runs, and what `body` throws.
    package func run<Value: Sendable>(
        byteCount: Int, interruption: () -> ImageError?,
        _ body: @escaping @Sendable (_ isAbandoned: @escaping @Sendable () -> Bool) throws(ImageError) -> Value
    ) throws(ImageError) -> Value {
        let job = Job<Value>()
        while !ledger.withLock({ $0.allows(byteCount) }) {
            if let reason = interruption() { throw reason }
            _ = job.done.wait(timeout: .now() + Self.patience)
        }
        // As urgent as the thread that waits: it inherits that.
        guard SystemThread.start("easel-decode", { self.finish(job, byteCount, Self.outcome(of: body, job)) }) else {
            // Out of threads: nobody can leave then.
            return try body { false }
        }
        while job.done.wait(timeout: .now() + Self.patience) == .timedOut {
            guard let reason = interruption() else { continue }
            job.state.withLock { state in
                if state.leave() { ledger.withLock { $0.begin(byteCount) } }
            }
            throw reason
        }
        return try job.takeOutcome()
    }

    private func finish<Value>(_ job: Job<Value>, _ byteCount: Int, _ outcome: Result<Value, ImageError>) {
        let wasLeft = job.state.withLock { $0.end(outcome) }
        if wasLeft { ledger.withLock { $0.end(byteCount) } }
        job.done.signal()
    }

    private static func outcome<Value: Sendable>(
        of body: (_ isAbandoned: @escaping @Sendable () -> Bool) throws(ImageError) -> Value, _ job: Job<Value>
    ) -> Result<Value, ImageError> {
        do throws(ImageError) {
            return .success(try body { job.isLeft })
        } catch {
            return .failure(error)
        }
    }

    /// One job, between its thread and the one that waits.
    private final class Job<Value: Sendable>: Sendable {
        let done = DispatchSemaphore(value: 0)
        let state = Mutex(JobState<Value>())

        var isLeft: Bool { state.withLock { $0.isLeft } }

        func takeOutcome() throws(ImageError) -> Value {
            let outcome = state.withLock { state in
                defer { state.outcome = nil }
                return state.outcome
            }
            guard let outcome else { throw .cancelled }
            return try outcome.get()
        }
    }

    private struct JobState<Value: Sendable> {
        var outcome: Result<Value, ImageError>?
        /// Whether the caller has left before the end.
        private(set) var isLeft = false

        /// The caller leaves. Returns whether the job goes on without it.
        mutating func leave() -> Bool {
            isLeft = outcome == nil
            return isLeft
        }

        /// Keeps the outcome for who waits. Returns whether nobody does.
        mutating func end(_ outcome: Result<Value, ImageError>) -> Bool {
            if !isLeft { self.outcome = outcome }
            return isLeft
        }
    }
}
