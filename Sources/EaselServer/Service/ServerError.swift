#if Server
import EaselCore
import EaselServerURLs

/// The reason why a request has no image: a status, a stable code for programs, and a message for people.
struct ServerError: Error, Sendable, Hashable {
    /// The HTTP status.
    var status: Int
    /// The stable code. Documented in ImageServer.md.
    var code: String
    /// One sentence without secrets.
    var message: String
    /// The value of `Retry-After`, in seconds.
    var retryAfter: Int?

    init(_ status: Int, _ code: String, _ message: String, retryAfter: Int? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    static let deadline = ServerError(504, "deadline", "The image was not ready in time.")
    /// The status is never sent, because the client is gone.
    static let cancelled = ServerError(499, "cancelled", "The client closed the connection.")
    static let stopping = ServerError(503, "stopping", "The server is stopping.", retryAfter: 1)

    static func full(retryAfter: Int) -> ServerError {
        ServerError(503, "overloaded", "The server has too much work. Try again later.", retryAfter: retryAfter)
    }
}

extension ServerError {
    init(_ error: ImageURLError) { self.init(error.status, error.code, error.message) }

    /// Creates the error for a failure to load or process an image.
    init(_ error: ImageError) {
        switch error.underlyingError {
        case let error as ServerError: self = error
        case let error as ImageURLError: self.init(error)
        case let cause as ImageError where error.code == .blocked: self.init(cause)
        default: self.init(withoutCause: error)
        }
    }

    private init(withoutCause error: ImageError) {
        let message = error.message
        switch error.code {
        case .cancelled: self = .cancelled
        case .invalidated: self = .stopping
        case .invalidURL: self.init(422, "invalidSource", message)
        case .badData: self.init(422, "undecodable", message)
        case .unsupported: self.init(422, "unsupported", message)
        case .forbiddenAddress: self.init(403, "forbiddenSource", message)
        case .timedOut: self.init(504, "sourceTimeout", message)
        case .status: self.init(sourceStatus: error.status ?? 0, message)
        case .tooLarge:
            if case .time = error.excess {
                self.init(422, "decodingTime", message)
            } else {
                self.init(413, "tooLarge", message)
            }
        case .unreachable, .connectionLost, .insecure, .tooManyRedirects, .invalidResponse, .contentType:
            self.init(502, "sourceFailed", message)
        case .unreadable: self.init(404, "sourceNotFound", message)
        default: self.init(500, "internal", "The image could not be made (\(error.code)).")
        }
    }

    private init(sourceStatus status: Int, _ message: String) {
        switch status {
        case 404, 410: self.init(404, "sourceNotFound", message)
        case 401, 403: self.init(403, "forbiddenSource", message)
        case 429: self.init(503, "sourceBusy", message, retryAfter: 10)
        default: self.init(502, "sourceFailed", message)
        }
    }

    /// The error for the core, whose loads throw only `ImageError`.
    var imageError: ImageError { ImageError(.invalidRequest, message, underlyingError: self) }
}

extension ImageError {
    /// Creates an error that `ServerError.init(_:)` turns into `error`.
    init(_ error: ImageURLError) { self.init(.invalidRequest, error.message, underlyingError: error) }
}
#endif
