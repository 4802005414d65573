#if Server
import Synchronization

/// Runs an operation once for all callers that need the same key at the same time.
///
/// The operation is cancelled when its last caller is, unless it was begun without a caller.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, ServerError>
    typealias Operation = @Sendable () async -> Outcome

    private struct Flight {
        var number: Int
        var task: Task<Void, Never>?
        var callers: [Int: CheckedContinuation<Outcome, Never>] = [:]
        /// Whether it continues without callers.
        var isIndependent: Bool
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// The number of operations in progress.
    var count: Int { state.withLock { $0.flights.count } }
    /// The number of callers that wait.
    var callerCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.callers.count } } }

    /// Returns the outcome for `key`, of the operation in progress or of `operation`. Cancelling the calling task ends
    /// only this call.
    ///
    /// - Returns: The outcome, and whether another call had begun the operation.
    func run(_ key: Key, _ operation: @escaping Operation) async -> (outcome: Outcome, isJoined: Bool) {
        let caller = nextNumber()
        var isJoined = false
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                isJoined = join(key, caller, continuation, operation)
            }
        } onCancel: {
            leave(key, caller)
        }
        return (outcome, isJoined)
    }

    /// Begins an operation that no caller waits for, unless one for `key` is in progress.
    func begin(_ key: Key, _ operation: @escaping Operation) {
        state.withLock { state in
            guard state.flights[key] == nil else { return }
            start(key, isIndependent: true, operation, &state)
        }
    }

    /// Cancels all operations.
    func cancelAll() {
        let tasks = state.withLock { $0.flights.values.compactMap(\.task) }
        for task in tasks { task.cancel() }
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Returns whether the operation was in progress.
    private func join(
        _ key: Key, _ caller: Int, _ continuation: CheckedContinuation<Outcome, Never>,
        _ operation: @escaping Operation
    ) -> Bool {
        let (isCancelled, isJoined) = state.withLock { state -> (Bool, Bool) in
            // A task is marked as cancelled before its handler runs: either the mark is found here, or the handler
            // finds the caller.
            if Task.isCancelled { return (true, false) }
            let isJoined = state.flights[key] != nil
            if !isJoined { start(key, isIndependent: false, operation, &state) }
            state.flights[key]?.callers[caller] = continuation
            return (false, isJoined)
        }
        if isCancelled { continuation.resume(returning: .failure(.cancelled)) }
        return isJoined
    }

    private func start(_ key: Key, isIndependent: Bool, _ operation: @escaping Operation, _ state: inout State) {
        state.lastNumber += 1
        let number = state.lastNumber
        // Under the lock, so that its end finds it.
        let task = Task { [self] in finish(key, number, await operation()) }
        state.flights[key] = Flight(number: number, task: task, isIndependent: isIndependent)
    }

    private func finish(_ key: Key, _ number: Int, _ outcome: Outcome) {
        let callers = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
            guard let flight = state.flights[key], flight.number == number else { return [] }
            state.flights[key] = nil
            return Array(flight.callers.values)
        }
        for caller in callers { caller.resume(returning: outcome) }
    }

    private func leave(_ key: Key, _ caller: Int) {
        var task: Task<Void, Never>?
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            let continuation = state.flights[key]?.callers.removeValue(forKey: caller)
            if continuation != nil, let flight = state.flights[key], flight.callers.isEmpty, !flight.isIndependent {
                // Later callers begin anew.
                state.flights[key] = nil
                task = flight.task
            }
            return continuation
        }
        task?.cancel()
        continuation?.resume(returning: .failure(.cancelled))
    }
}

/// Runs `body`, and cancels it after `limit`.
///
/// - Returns: The outcome of `body`, or `ServerError.deadline` after the limit.
func withDeadline<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async -> Result<Value, ServerError>
) async -> Result<Value, ServerError> {
    await withTaskGroup(of: Result<Value, ServerError>.self) { group in
        group.addTask { await body() }
        group.addTask {
            do { try await Task.sleep(for: limit) } catch { return .failure(.cancelled) }
            return .failure(.deadline)
        }
        defer { group.cancelAll() }
        return await group.next() ?? .failure(.cancelled)
    }
}
#endif
