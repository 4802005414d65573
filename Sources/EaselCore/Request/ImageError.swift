/// The reason for a failure. Its texts are for users, and contain no secrets of the URL. Equality ignores
/// `underlyingError`.
public struct ImageError: Error, Sendable, Hashable {
    /// The kind of failure, for programs.
    public let code: Code
    /// What happened.
    public let message: String
    /// The error of a library, the system or the application that caused this one.
    public var underlyingError: (any Error)? { cause.value }
    private var cause: Uncompared<(any Error)?>
    /// The status of the response, with the code `status`.
    public internal(set) var status: Int?
    /// The timeout that passed, with the code `timedOut`.
    public internal(set) var timeout: Timeout?
    /// The value over its limit, with the code `tooLarge`.
    public internal(set) var excess: Excess?

    /// Creates an error, for a loader, cache, transport, coder or transform outside Easel.
    public init(_ code: Code, _ message: String, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        cause = Uncompared(underlyingError)
    }

    /// Returns the same error with the error that caused it.
    package func caused(by error: (any Error)?) -> ImageError {
        var copy = self
        copy.cause = Uncompared(error)
        return copy
    }

    /// A kind of failure. Later versions can add some.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the code, such as `timedOut`, for logs and statistics.
        public var description: String { rawValue }

        /// The URL is malformed, or has a scheme that no loader accepts.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// The file is not an image, is damaged, or has a format without a coder.
        public static let badData = Code(rawValue: "badData")
        /// The URL failed before with an error that is not temporary. `retryFailed` or `forgetFailures()` tries it
        /// again.
        public static let blocked = Code(rawValue: "blocked")
        /// A request modifier refused the request, or made it invalid.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The server responded with an error status instead of an image.
        public static let status = Code(rawValue: "status")
        /// The load was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The response violates HTTP, or is incomplete.
        public static let invalidResponse = Code(rawValue: "invalidResponse")
        /// The response has a content type that is not accepted.
        public static let contentType = Code(rawValue: "contentType")
        /// The host has no address, or does not respond.
        public static let unreachable = Code(rawValue: "unreachable")
        /// A timeout has passed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The server's certificate is not trusted, or encryption failed.
        public static let insecure = Code(rawValue: "insecure")
        /// The connection ended before the response did.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// There were more redirects than allowed.
        public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
        /// The image or its file exceeds the limits of the request.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The image is not in the cache, and the request allows no other source.
        public static let notCached = Code(rawValue: "notCached")
        /// The image is not in the cache, and there is no network.
        public static let offline = Code(rawValue: "offline")
        /// A file could not be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// A file could not be written.
        public static let unwritable = Code(rawValue: "unwritable")
        /// The operation is not supported: there is no coder for the format, or a transform cannot be applied.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The manager was shut down.
        public static let invalidated = Code(rawValue: "invalidated")
        /// The downloader's guard does not allow the host, or its address.
        public static let forbiddenAddress = Code(rawValue: "forbiddenAddress")
    }

    /// A timeout.
    public enum Timeout: String, Sendable, Hashable {
        /// Of connecting, and of the head of the response.
        case connect
        /// Between two bytes.
        case idle
        /// Of the whole load.
        case total
    }

    /// A value over its limit.
    public enum Excess: Sendable, Hashable {
        /// The size in the header.
        case pixels(PixelSize, limit: Int)
        /// The number of bytes of the file.
        case bytes(Int, limit: Int)
        /// The number of frames.
        case frames(Int, limit: Int)
        /// The time of decoding.
        case time(limit: Duration)
    }
}

extension ImageError: CustomStringConvertible {
    /// What happened, and the remedy if there is one.
    public var description: String { recoverySuggestion.map { "\(message) \($0)" } ?? message }

    /// What a user can do.
    public var recoverySuggestion: String? {
        switch code {
        case .invalidURL: "Give a whole URL that begins with http:, https:, file: or data:."
        case .blocked: "Use the option retryFailed to try at once."
        case .status: Self.suggestion(for: status ?? 0)
        case .contentType: "Check the URL, or accept that type."
        case .unreachable: "Check the host's name and the network."
        case .timedOut: "Try again, or allow a longer \(timeout == .total ? "deadline" : "timeout")."
        case .insecure: "Check the host's certificate and this machine's clock."
        case .connectionLost: "Try again."
        case .tooManyRedirects: "Check the URL in a browser."
        case .tooLarge: "Raise the limit if you trust it."
        case .offline: "Try again when there is a network."
        case .unwritable: "Check the permissions and the free space."
        case .invalidated: "Make a new one."
        case .forbiddenAddress: "To allow it, add an exception to the downloader's guard."
        default: nil
        }
    }

    private static func suggestion(for status: Int) -> String? {
        switch status {
        case 401, 407: "Give the request an Authorization header."
        case 403: "Check that you may see it."
        case 404, 410: "Check the URL."
        case 429, 500...: "Try again later."
        default: nil
        }
    }
}
