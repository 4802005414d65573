#if Server
import EaselCore
import Synchronization

/// The limits of calls to one shared store: time, number, and a circuit breaker.
final class CallGuard: Sendable {
    private let state = Mutex(TierStatistics())
    private let health: ServerHealth
    private let clock: LoadClock
    private let maximumCalls: Int

    /// - Parameter ping: Checks the store.
    init(
        maximumCalls: Int, pingLimit: Duration, breaker: CircuitBreaker.Configuration = .init(),
        clock: LoadClock = LoadClock(ContinuousClock()), ping: @escaping @Sendable () async throws(TierError) -> Void
    ) {
        self.maximumCalls = maximumCalls
        self.clock = clock
        health = ServerHealth(breaker, clock: clock) { () async throws(TierError) in
            try await withLimit(pingLimit, clock: clock, ping)
        }
    }

    var statistics: TierStatistics {
        var statistics = state.withLock(\.self)
        statistics.isOpen = health.isOpen
        statistics.openings = health.openingCount
        return statistics
    }

    /// Runs a call within a time limit, and counts its outcome.
    ///
    /// - Parameters:
    ///   - maximumStores: For storing a value, the most that may be stored at a time.
    ///   - count: Counts a success, with the time that it took; by default as one of `others`.
    /// - Throws: the error of the call; `TierError.timedOut`, `.cancelled`, and without a call `.unavailable` or
    ///   `.busy`.
    func run<Value: Sendable>(
        limit: Duration, maximumStores: Int? = nil,
        count: @Sendable (inout TierStatistics, Value, Duration) -> Void = { statistics, _, _ in statistics.others += 1
        },
        _ call: @escaping @Sendable () async throws(TierError) -> Value
    ) async throws(TierError) -> Value {
        let started = clock.now()
        var period: CircuitBreaker.Period?
        do throws(TierError) {
            period = try health.admit()
            try begin(maximumStores)
            // The call counts as running until it ends, since it holds its memory and connection until then.
            let value = try await withLimit(limit, clock: clock) { [self] () async throws(TierError) in
                defer {
                    state.withLock { state in
                        state.running -= 1
                        if maximumStores != nil { state.storing -= 1 }
                    }
                }
                return try await call()
            }
            state.withLock { count(&$0, value, clock.now() - started) }
            if let period { health.record(nil, in: period) }
            return value
        } catch {
            state.withLock { $0.count(error) }
            if let period { health.record(error, in: period) }
            throw error
        }
    }

    func shutDown() { health.shutDown() }

    private func begin(_ maximumStores: Int?) throws(TierError) {
        let isAdmitted = state.withLock { state in
            guard state.running < maximumCalls, state.storing < maximumStores ?? .max else { return false }
            state.running += 1
            if maximumStores != nil { state.storing += 1 }
            return true
        }
        guard isAdmitted else { throw TierError(.busy, "Too many calls are running.") }
    }
}
#endif
