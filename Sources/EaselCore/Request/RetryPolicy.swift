/// Whether and when a failed download is tried again: only for what may pass by itself (P010, B77, B78).
public struct RetryPolicy: Sendable, Hashable {
    /// How often it is tried again after the first failure.
    public var attempts: Int
    /// The longest wait before the first new attempt; it doubles with each further one.
    public var first: Duration
    /// The longest wait before any new attempt, however many there were: 30 s.
    public var longest: Duration = .seconds(30)
    /// The longest wait that a server may ask for with `Retry-After`: 60 s. One that asks for more is not tried again.
    public var longestRetryAfter: Duration = .seconds(60)
    /// Whether a host that cannot be reached while the machine has no network is waited for, for as long as that takes
    /// (`ImageDownloader.Configuration.reachability`). Such a wait is no attempt.
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

    /// Waits of one's own: `delay` says how long after each failure, or `nil` for not again.
    ///
    /// It is not asked where another attempt cannot help, as for a cancelled load or a malformed URL.
    ///
    /// - Parameter identifier: names the strategy and everything that it depends on: requests whose policies have the same
    ///   identifier are equal and share their work.
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

    /// How long to wait before trying again, or `nil` for not at all.
    ///
    /// - Parameter jitter: the part of the longest wait to take, from 0 to 1.
    func delay(after failure: RetryFailure, jitter: Double) -> Duration? {
        guard failure.attempt <= attempts else { return nil }
        if let strategy { return failure.error.isWorthAsking ? strategy.delay(failure).map { max(.zero, $0) } : nil }
        guard failure.error.mayPass else { return nil }
        let backOff =
            min(longest, first * (1 << min(failure.attempt - 1, 16))) * min(max(jitter, 0), 1)
        guard let asked = failure.retryAfter else { return backOff }
        return asked <= longestRetryAfter ? max(asked, backOff) : nil
    }

    /// Equal where the identifier is: closures cannot be compared.
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
    /// Failures of this download so far, from 1.
    public var attempt: Int
    /// How long the server asks to be left alone (`Retry-After`, RFC 9110 10.2.3).
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

    /// Whether a strategy of one's own may find otherwise: a server had its say, and may say something else.
    fileprivate var isWorthAsking: Bool {
        switch self {
        case .status, .invalidResponse, .contentType, .badData, .insecure: true
        default: mayPass
        }
    }
}
