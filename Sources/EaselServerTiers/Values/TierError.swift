#if Server
/// The reason for the failure of a call to a shared cache.
public struct TierError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The server has no address, refuses connections, or closed the connection.
        case unreachable
        /// The time limit has passed.
        case timedOut
        /// The circuit breaker is open: the server failed before, and has not answered a ping since.
        case unavailable
        /// There are as many calls as the limits allow.
        case busy
        /// The server answered with an error.
        case refused
        /// The server does not accept the credentials.
        case unauthorized
        /// The answer violates the protocol, or exceeds its limits.
        case invalidReply
        /// The value is larger than the tier allows.
        case tooLarge
        /// The configuration is invalid.
        case invalidConfiguration
        /// The task was cancelled.
        case cancelled
        /// The tier was shut down.
        case shutDown
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// What happened. Contains no credentials.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }

    /// Whether the server itself is slow or gone. Only these failures open a circuit breaker.
    public var isServerFailure: Bool {
        switch code {
        case .unreachable, .timedOut, .invalidReply, .unauthorized: true
        case .unavailable, .busy, .refused, .tooLarge, .invalidConfiguration, .cancelled, .shutDown: false
        }
    }
}

extension TierError {
    static let cancelled = TierError(.cancelled, "The task was cancelled.")
    static let shutDown = TierError(.shutDown, "The tier was shut down.")
}
#endif
