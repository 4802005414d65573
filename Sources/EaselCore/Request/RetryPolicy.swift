/// Whether and when a failed download is tried again: only for what may pass by itself (B77, B78).
public struct RetryPolicy: Sendable, Hashable {
    /// How often it is tried again after the first failure.
    public var attempts: Int
    /// The longest wait before the first new attempt; it doubles with each further one.
    public var first: Duration

    /// No new attempt.
    public static let never = RetryPolicy(attempts: 0, first: .zero)

    /// Waits that double, each a random part of its longest, so that many clients do not return at once.
    public static func exponential(attempts: Int, first: Duration = .milliseconds(200)) -> RetryPolicy {
        RetryPolicy(attempts: max(0, attempts), first: first)
    }

    /// How long to wait before trying again, or `nil` for not at all.
    ///
    /// - Parameters:
    ///   - attempt: failures so far, from 1.
    ///   - jitter: the part of the longest wait to take, from 0 to 1.
    func delay(after error: ImageError, attempt: Int, jitter: Double) -> Duration? {
        guard attempt <= attempts, error.mayPass else { return nil }
        return first * (1 << min(attempt - 1, 16)) * min(max(jitter, 0), 1)
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
}
