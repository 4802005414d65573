#if Server
import EaselCore
import Synchronization

/// The result of the first of several tasks that ends.
final class FirstResult<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value, TierError>, Never>

    private struct State {
        var result: Result<Value, TierError>?
        var waiter: Waiter?
        var attemptCount: Int
    }

    private let state: Mutex<State>

    /// - Parameter attempts: The number of calls of `fail` after which the result is a failure. Without attempts, it is
    ///   one at once.
    init(attempts: Int = 1) {
        let failure = TierError(.unreachable, "No server is known.")
        state = Mutex(State(result: attempts > 0 ? nil : .failure(failure), attemptCount: attempts))
    }

    /// Sets the result. Has no effect after the first time.
    func settle(_ result: Result<Value, TierError>) {
        let waiter = state.withLock { state in
            guard state.result == nil else { return nil as Waiter? }
            state.result = result
            return state.waiter.take()
        }
        waiter?.resume(returning: result)
    }

    /// Records a failed attempt. The last one sets the result.
    func fail(_ error: TierError) {
        let isLast = state.withLock { state in
            state.attemptCount -= 1
            return state.attemptCount <= 0
        }
        if isLast { settle(.failure(error)) }
    }

    /// Waits for the result. Called once. Cancelling the task sets the result.
    func value() async throws(TierError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Waiter) in
                let result = state.withLock { state in
                    if state.result == nil { state.waiter = continuation }
                    return state.result
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            settle(.failure(.cancelled))
        }
        return try result.get()
    }
}

/// Runs an operation, and throws when its limit has passed or the task is cancelled, even if the operation continues.
///
/// - Throws: the error of the operation, `TierError.timedOut`, or `.cancelled`.
func withLimit<Value: Sendable>(
    _ limit: Duration, clock: LoadClock, _ operation: @escaping @Sendable () async throws(TierError) -> Value
) async throws(TierError) -> Value {
    let first = FirstResult<Value>()
    let work = Task {
        do throws(TierError) { first.settle(.success(try await operation())) } catch { first.settle(.failure(error)) }
    }
    let timer = Task {
        guard (try? await clock.sleep(limit)) != nil else { return }
        first.settle(.failure(TierError(.timedOut, "The call took longer than \(limit).")))
    }
    defer {
        work.cancel()
        timer.cancel()
    }
    return try await first.value()
}
#endif
