import Synchronization

/// Lets a load's progress through until the load ends: once `close` has returned, no call is under way and none begins.
final class ProgressGate: Sendable {
    private struct State {
        var isClosed = false
        var callCount = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Calls `body`, unless the gate is closed. Not under the lock: it is the application's.
    func pass(_ body: () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.callCount += 1 }
            return !state.isClosed
        }
        guard isOpen else { return }
        body()
        let waiter = state.withLock { state in
            state.callCount -= 1
            return state.callCount == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Closes the gate, and waits for the calls that are under way.
    func close() async {
        let isQuiet = state.withLock { state in
            state.isClosed = true
            return state.callCount == 0
        }
        if isQuiet { return }
        await withCheckedContinuation { continuation in
            let isQuiet = state.withLock { state in
                if state.callCount > 0 { state.waiter = continuation }
                return state.callCount == 0
            }
            if isQuiet { continuation.resume() }
        }
    }
}
