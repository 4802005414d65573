#if Server
import EaselServerTiers
import EaselTesting
import Foundation
import Synchronization

/// A tier in memory, with faults.
final class FakeTier: SharedTier {
    struct State: Sendable {
        var values: [SharedKey: SharedValue] = [:]
        var error: TierError?
        /// Calls wait for it.
        var gate: Gate?
        var callCount = 0
        var pingCount = 0
    }

    let monitor = Monitor(State())
    let name = "fake"

    func value(for key: SharedKey) async throws(TierError) -> SharedValue? {
        try await enter()
        return monitor.state.values[key]
    }

    func store(
        _ value: SharedValue, for key: SharedKey, lifetime: Duration
    ) async throws(TierError) {
        try await enter()
        monitor.update { $0.values[key] = value }
    }

    func removeAll(inGroup group: String) async throws(TierError) -> Int {
        try await enter()
        return 0
    }

    func ping() async throws(TierError) {
        monitor.update { $0.pingCount += 1 }
        if let error = monitor.state.error { throw error }
    }

    func shutDown() async {}

    private func enter() async throws(TierError) {
        let state = monitor.update { state in
            state.callCount += 1
            return state
        }
        try? await state.gate?.wait()
        if let error = state.error { throw error }
    }
}

/// Leases in memory.
final class FakeLeases: LeaseProvider {
    struct State: Sendable {
        var tokens: [SharedKey: String] = [:]
        var lastToken = 0
        var error: TierError?
        var attemptCount = 0
        var renewalCount = 0
    }

    let monitor = Monitor(State())

    func acquire(_ key: SharedKey, for duration: Duration) async throws(TierError) -> Lease? {
        let result: Result<Lease?, TierError> = monitor.update { state in
            state.attemptCount += 1
            if let error = state.error { return .failure(error) }
            guard state.tokens[key] == nil else { return .success(nil) }
            state.lastToken += 1
            state.tokens[key] = "\(state.lastToken)"
            return .success(Lease(key: key, token: "\(state.lastToken)", duration: duration))
        }
        return try result.get()
    }

    func renew(_ lease: Lease) async throws(TierError) -> Bool {
        monitor.update { state in
            state.renewalCount += 1
            return state.tokens[lease.key] == lease.token
        }
    }

    func release(_ lease: Lease) async throws(TierError) {
        monitor.update { if $0.tokens[lease.key] == lease.token { $0.tokens[lease.key] = nil } }
    }
}

extension SharedValue {
    /// A value with text as its bytes.
    static func text(_ text: String) -> SharedValue {
        SharedValue(
            bytes: Data(text.utf8),
            metadata: Metadata(contentType: "text/plain", created: Date(timeIntervalSince1970: 1000)))
    }
}
#endif
