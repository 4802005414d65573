import Synchronization

/// A result that one task awaits and that is settled once; later results are ignored.
package final class OneTimeValue<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Result<Value, ImageError>, Never>)
        case settled(Result<Value, ImageError>)
    }

    private let state = Mutex(State.open)

    /// A value that is not there yet.
    package init() {}

    /// Settles the value unless it is.
    package func settle(_ result: Result<Value, ImageError>) {
        let waiting: CheckedContinuation<Result<Value, ImageError>, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .settled(result)
                return nil
            case .awaited(let continuation):
                state = .settled(result)
                return continuation
            case .settled:
                return nil
            }
        }
        waiting?.resume(returning: result)
    }

    /// Waits for the value. One task at a time.
    package func result() async -> Result<Value, ImageError> {
        await withCheckedContinuation { continuation in
            let settled: Result<Value, ImageError>? = state.withLock { state in
                if case .settled(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let settled { continuation.resume(returning: settled) }
        }
    }
}
