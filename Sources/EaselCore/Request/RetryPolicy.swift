/// When a failed download is tried again, if its failure can be temporary.
public struct RetryPolicy: Sendable, Hashable {
    /// The number of attempts after the first failure.
    package var attempts: Int
    /// The longest wait before the first new attempt. It doubles with each attempt.
    package var first: Duration
    /// The longest wait before any new attempt: 30 s.
    public var longest: Duration = .seconds(30)
    /// The longest `Retry-After` of a server that is waited for: 60 s. A longer one ends the load.
    public var longestRetryAfter: Duration = .seconds(60)
    /// Whether a download waits for a network, without a limit, if its host is unreachable and the machine has no
    /// network. Such a wait does not count as an attempt.
    public var waitsForNetwork = false
    private var strategy: Identified<@Sendable (RetryFailure) -> Duration?>?

    /// No new attempts.
    public static let none = RetryPolicy(attempts: 0, first: .zero)

    /// Returns a policy with waits that double: up to 0.2, 0.4, 0.8 seconds and so on by default. Each is a random part
    /// of its maximum (full jitter), so that clients that failed together do not retry together.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts after the first failure.
    ///   - first: The longest wait before the first of them.
    public static func exponential(attempts: Int, first: Duration = .milliseconds(200)) -> RetryPolicy {
        RetryPolicy(attempts: max(0, attempts), first: first)
    }

    /// Returns a policy with custom waits.
    ///
    /// - Parameters:
    ///   - identifier: Names the strategy and all that it depends on: policies with the same identifier are equal.
    ///   - delay: Returns the wait after a failure, or `nil` for no new attempt. Not called if another attempt cannot
    ///     succeed, as for a cancelled load or a malformed URL.
    public static func custom(
        _ identifier: String, _ delay: @escaping @Sendable (RetryFailure) -> Duration?
    ) -> RetryPolicy {
        var policy = RetryPolicy(attempts: .max, first: .zero)
        policy.strategy = Identified(identifier, delay)
        return policy
    }

    private init(attempts: Int, first: Duration) {
        self.attempts = attempts
        self.first = first
    }

    /// Returns the wait before the next attempt, or `nil` for none.
    ///
    /// - Parameter jitter: The part of the longest wait to take, from 0 to 1.
    func delay(after failure: RetryFailure, jitter: Double) -> Duration? {
        guard failure.attempt <= attempts else { return nil }
        if let strategy { return failure.error.isRetriable ? strategy.value(failure).map { max(.zero, $0) } : nil }
        guard failure.error.isTemporary else { return nil }
        let backoff = min(longest, first * (1 << min(failure.attempt - 1, 16))) * min(max(jitter, 0), 1)
        guard let requested = failure.retryAfter else { return backoff }
        return requested <= longestRetryAfter ? max(requested, backoff) : nil
    }
}

/// A failed attempt of a download.
public struct RetryFailure: Sendable, Hashable {
    /// The error.
    public var error: ImageError
    /// The number of failures of this download so far, from 1.
    public var attempt: Int
    /// The wait that the server requests (`Retry-After`, RFC 9110 10.2.3).
    public var retryAfter: Duration?
}

extension ImageError {
    /// Whether the same request can succeed a moment later.
    var isTemporary: Bool {
        isConnectionFailure || status.map([408, 429, 500, 502, 503, 504].contains) ?? false
    }

    /// Whether another response of the server can differ.
    fileprivate var isRetriable: Bool {
        isTemporary || [.status, .invalidResponse, .contentType, .badData, .insecure].contains(code)
    }

    /// Whether no response arrived, or not all of it.
    var isConnectionFailure: Bool { [.unreachable, .timedOut, .connectionLost].contains(code) }
}
