/// Whether and when a failed download is tried again. Only failures that may pass by themselves are.
public struct RetryPolicy: Sendable, Hashable {
    /// The number of attempts after the first failure.
    public var attempts: Int
    /// The longest wait before the first new attempt; it doubles with each further one.
    public var first: Duration
    /// The longest wait before any new attempt: 30 s.
    public var longest: Duration = .seconds(30)
    /// The longest wait that a server may ask for with `Retry-After`: 60 s. A longer one ends the load.
    public var longestRetryAfter: Duration = .seconds(60)
    /// Whether a download waits for a network, for as long as that takes, if its host is unreachable and the machine
    /// has none (`ImageDownloader.Configuration.reachability`). Such a wait is no attempt.
    public var waitsForNetwork = false
    private var strategy: Strategy?

    /// No new attempt.
    public static let none = RetryPolicy(attempts: 0, first: .zero)

    /// Three more attempts, after up to 0.2, 0.4 and 0.8 seconds.
    public static let `default` = exponential(attempts: 3)

    /// Waits that double, each a random part of its longest (full jitter), so that many clients do not return at once.
    public static func exponential(attempts: Int, first: Duration = .milliseconds(200)) -> RetryPolicy {
        RetryPolicy(attempts: max(0, attempts), first: first)
    }

    /// Waits of one's own: `delay` returns the wait after each failure, or `nil` for no new attempt.
    ///
    /// It is not called if another attempt cannot help, as for a cancelled load or a malformed URL.
    ///
    /// - Parameter identifier: names the strategy and everything that it depends on: requests whose policies have the
    ///   same identifier are equal and share their work.
    public static func custom(
        _ identifier: String, _ delay: @escaping @Sendable (RetryFailure) -> Duration?
    ) -> RetryPolicy {
        var policy = RetryPolicy(attempts: .max, first: .zero)
        policy.strategy = Strategy(identifier: identifier, delay: delay)
        return policy
    }

    private init(attempts: Int, first: Duration) {
        self.attempts = attempts
        self.first = first
    }

    /// The wait before the next attempt, or `nil` for none.
    ///
    /// - Parameter jitter: the part of the longest wait to take, from 0 to 1.
    func delay(after failure: RetryFailure, jitter: Double) -> Duration? {
        guard failure.attempt <= attempts else { return nil }
        if let strategy { return failure.error.mayBeRetried ? strategy.delay(failure).map { max(.zero, $0) } : nil }
        guard failure.error.mayPass else { return nil }
        let backoff = min(longest, first * (1 << min(failure.attempt - 1, 16))) * min(max(jitter, 0), 1)
        guard let requested = failure.retryAfter else { return backoff }
        return requested <= longestRetryAfter ? max(requested, backoff) : nil
    }

    /// Compared by its identifier, because closures cannot be compared.
    private struct Strategy: Sendable, Hashable {
        let identifier: String
        let delay: @Sendable (RetryFailure) -> Duration?

        static func == (first: Strategy, second: Strategy) -> Bool { first.identifier == second.identifier }
        func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
    }
}

/// One failure of a download, as a retry policy sees it.
public struct RetryFailure: Sendable, Hashable {
    /// What went wrong.
    public var error: ImageError
    /// The number of failures of this download so far, from 1.
    public var attempt: Int
    /// The wait that the server asks for (`Retry-After`, RFC 9110 10.2.3).
    public var retryAfter: Duration?

    /// A failure.
    public init(error: ImageError, attempt: Int, retryAfter: Duration? = nil) {
        self.error = error
        self.attempt = attempt
        self.retryAfter = retryAfter
    }
}

extension ImageError {
    /// Whether the same request may succeed a moment later.
    var mayPass: Bool {
        switch self {
        case .unreachable, .timedOut, .connectionLost: true
        case .status(let status): [408, 429, 500, 502, 503, 504].contains(status)
        default: false
        }
    }

    /// Whether a custom strategy may try again: another answer of the server may differ.
    fileprivate var mayBeRetried: Bool {
        switch self {
        case .status, .invalidResponse, .contentType, .badData, .insecure: true
        default: mayPass
        }
    }
}
