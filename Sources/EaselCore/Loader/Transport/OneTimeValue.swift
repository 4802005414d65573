public import Synchronization

/// A result that one task awaits and that is settled once; later results are ignored.
///
/// Inlinable, as `BodyState` is: every exchange has one, in another module, where generic code costs several microseconds
/// to find out what it works with.
@usableFromInline
package final class OneTimeValue<Value: Sendable>: Sendable {
    /// Who waits.
    @usableFromInline package typealias Waiter = CheckedContinuation<Result<Value, ImageError>, Never>

    @usableFromInline
    enum State {
        case open
        case awaited(Waiter)
        case settled(Result<Value, ImageError>)
    }

    @usableFromInline let state: Mutex<State>

    /// A value that is not there yet.
    @inlinable
    package init() {
        state = Mutex(.open)
    }

    /// Settles the value unless it is.
    @inlinable
    package func settle(_ result: Result<Value, ImageError>) {
        waiter(settling: result)?.resume(returning: result)
    }

    /// The same for who cannot resume anybody now, and has to later: who waits.
    @inlinable
    package func waiter(settling result: Result<Value, ImageError>) -> Waiter? {
        state.withLock { state in
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
    }

    /// Waits for the value. One task at a time.
    @inlinable
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
