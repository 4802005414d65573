internal import Synchronization

/// A result that one task awaits and that is settled once; later results are ignored.
final class OneTimeValue<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value, ImageError>, Never>

    private enum State {
        case open
        case awaited(Waiter)
        case settled(Result<Value, ImageError>)
    }

    private let state = Mutex(State.open)

    /// Settles the value unless it is settled already.
    func settle(_ result: Result<Value, ImageError>) {
        let waiter: Waiter? = state.withLock { state in
            if case .settled = state { return nil }
            defer { state = .settled(result) }
            if case .awaited(let waiter) = state { return waiter }
            return nil
        }
        waiter?.resume(returning: result)
    }

    /// Waits for the value. One task at a time.
    func result() async -> Result<Value, ImageError> {
        await withCheckedContinuation { waiter in
            let settled: Result<Value, ImageError>? = state.withLock { state in
                if case .settled(let result) = state { return result }
                state = .awaited(waiter)
                return nil
            }
            if let settled { waiter.resume(returning: settled) }
        }
    }
}
