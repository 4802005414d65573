#if Server
import Synchronization

/// Runs a `FairQueue`: callers wait until their jobs start.
final class AdmissionGate: Sendable {
    /// The reason why a job was not started.
    enum Refusal: Error, Sendable, Equatable {
        /// The queue is full.
        case full
        /// The calling task was cancelled.
        case cancelled
    }

    /// A job in progress. It ends when the permit is released.
    final class Permit: Sendable {
        private let gate: AdmissionGate
        private let job: Int

        fileprivate init(gate: AdmissionGate, job: Int) {
            self.gate = gate
            self.job = job
        }

        deinit { gate.leave(job) }
    }

    private enum Outcome: Sendable { case started, refused, cancelled }

    private struct State {
        var queue: FairQueue<ClientKey>
        var lastJob = 0
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private typealias Resumption = (continuation: CheckedContinuation<Outcome, Never>, outcome: Outcome)

    private let state: Mutex<State>

    /// - Parameters:
    ///   - capacity: The largest sum of weights in progress.
    ///   - maximumWaiting: The largest number of waiting jobs.
    init(capacity: Int, maximumWaiting: Int = .max) {
        state = Mutex(State(queue: FairQueue(capacity: capacity, maximumWaiting: maximumWaiting)))
    }

    /// Waits for the turn of a job.
    ///
    /// - Throws: `Refusal.full` at once if the queue is full, or later if the job was displaced; `.cancelled`.
    func enter(_ client: ClientKey, weight: Int) async throws(Refusal) -> Permit {
        let job = state.withLock { state in
            state.lastJob += 1
            return state.lastJob
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in arrive(job, client, weight, continuation) }
        } onCancel: {
            cancel(job)
        }
        switch outcome {
        case .started: return Permit(gate: self, job: job)
        case .refused: throw .full
        case .cancelled: throw .cancelled
        }
    }

    /// The state for metrics.
    var load: (inUse: Int, running: Int, waiting: Int, clients: Int) {
        state.withLock { ($0.queue.inUse, $0.queue.runningCount, $0.queue.waitingCount, $0.queue.clientCount) }
    }

    /// Refuses all waiting jobs.
    func refuseAll() {
        update { $0.queue.refuseAll() }
    }

    private func arrive(
        _ job: Int, _ client: ClientKey, _ weight: Int, _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        // A task is marked as cancelled before its handler runs: either the mark is found here, or the handler finds
        // the continuation.
        let isCancelled = state.withLock { state in
            if Task.isCancelled { return true }
            state.waiting[job] = continuation
            return false
        }
        if isCancelled { return continuation.resume(returning: .cancelled) }
        update { $0.waiting[job] == nil ? [] : $0.queue.arrive(job, client: client, weight: weight) }
    }

    private func cancel(_ job: Int) {
        var cancelled: CheckedContinuation<Outcome, Never>?
        update { state in
            cancelled = state.waiting.removeValue(forKey: job)
            // A job that has started ends with its permit.
            return cancelled == nil ? [] : state.queue.leave(job)
        }
        cancelled?.resume(returning: .cancelled)
    }

    fileprivate func leave(_ job: Int) {
        update { $0.queue.leave(job) }
    }

    /// Changes the state, and resumes the callers outside of the lock.
    private func update(_ change: (inout State) -> [FairQueue<ClientKey>.Action]) {
        let resumptions = state.withLock { state -> [Resumption] in
            change(&state).compactMap { action in
                switch action {
                case .start(let job): state.waiting.removeValue(forKey: job).map { ($0, .started) }
                case .refuse(let job): state.waiting.removeValue(forKey: job).map { ($0, .refused) }
                }
            }
        }
        for resumption in resumptions { resumption.continuation.resume(returning: resumption.outcome) }
    }
}

/// Identifies a client for fairness: an address, or the value of a header that a trusted proxy sets.
struct ClientKey: Sendable, Hashable {
    var text: String
}
#endif
