#if Server
import EaselCore
import Synchronization

/// A circuit breaker for one server, with the task that pings it.
final class ServerHealth: Sendable {
    private struct State {
        var breaker: CircuitBreaker
        var pinging: Task<Void, Never>?
        var openingCount = 0
        var isShutDown = false
    }

    private let state: Mutex<State>
    private let clock: LoadClock
    private let ping: @Sendable () async throws(TierError) -> Void

    /// - Parameter ping: Checks the server. Must end within a time limit.
    init(
        _ configuration: CircuitBreaker.Configuration = .init(), clock: LoadClock = LoadClock(ContinuousClock()),
        ping: @escaping @Sendable () async throws(TierError) -> Void
    ) {
        state = Mutex(State(breaker: CircuitBreaker(configuration)))
        self.clock = clock
        self.ping = ping
    }

    deinit { shutDown() }

    var isOpen: Bool { state.withLock(\.breaker.isOpen) }
    /// How often the breaker has opened.
    var openingCount: Int { state.withLock(\.openingCount) }

    /// Returns the current period of the breaker, for `record`.
    ///
    /// - Throws: `TierError.unavailable` while the breaker is open.
    func admit() throws(TierError) -> CircuitBreaker.Period {
        guard let period = state.withLock({ $0.breaker.admit() }) else {
            throw TierError(.unavailable, "The server failed before, and has not answered a ping since.")
        }
        return period
    }

    /// Records the outcome of an admitted call.
    func record(_ error: TierError?, in period: CircuitBreaker.Period) {
        // These calls were not made, or have no outcome of the server.
        if let error, [.cancelled, .busy, .shutDown, .unavailable].contains(error.code) { return }
        state.withLock { state in
            let action = state.breaker.record(isFailure: error?.isServerFailure == true, in: period)
            if action != nil { state.openingCount += 1 }
            perform(action, &state)
        }
    }

    /// Ends the pings.
    func shutDown() {
        let task = state.withLock { state in
            state.isShutDown = true
            return state.pinging.take()
        }
        task?.cancel()
    }

    private func perform(_ action: CircuitBreaker.Action?, _ state: inout State) {
        guard case .ping(let delay) = action, !state.isShutDown else { return }
        state.pinging = Task { [weak self, clock, ping] in
            guard (try? await clock.sleep(delay)) != nil else { return }
            var isFailure = false
            do throws(TierError) { try await ping() } catch { isFailure = true }
            self?.didPing(isFailure: isFailure)
        }
    }

    private func didPing(isFailure: Bool) {
        state.withLock { state in
            state.pinging = nil
            perform(state.breaker.didPing(isFailure: isFailure), &state)
        }
    }
}
#endif
