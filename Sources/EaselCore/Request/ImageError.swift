/// The reason for a failure. Descriptions are for users, and contain no secrets of the URL.
public enum ImageError: Error, Sendable, Hashable {
    /// The URL is malformed, or has a scheme that no loader accepts.
    case invalidURL(String)
    /// The file is not an image, is damaged, or has a format without a coder.
    case badData(String)
    /// The cached image is current.
    case notModified
    /// The URL failed before with an error that is not temporary. `retryFailed` or `forgetFailures()` tries it again.
    case blocked(reason: String)
    /// A request modifier refused the request, or made it invalid.
    case invalidRequest(String)
    /// The server responded with this status instead of an image.
    case status(Int)
    /// The load was cancelled.
    case cancelled
    /// The response violates HTTP, or is incomplete.
    case invalidResponse(String)
    /// The response has a content type that is not accepted.
    case contentType(String)
    /// The host has no address, or does not respond.
    case unreachable(host: String, reason: String)
    /// A timeout has passed.
    case timedOut(Timeout)
    /// The server's certificate is not trusted, or encryption failed.
    case insecure(host: String, reason: String)
    /// The connection ended after `received` bytes of `expected`.
    case connectionLost(received: Int, expected: Int?)
    /// There were more redirects than allowed.
    case tooManyRedirects(Int)
    /// The image or its file exceeds the limits of the request.
    case tooLarge(Excess)
    /// The image is not in the cache, and the request allows no other source.
    case notCached
    /// A file could not be read.
    case unreadable(path: String, reason: String)
    /// A file could not be written.
    case unwritable(path: String, reason: String)
    /// The operation is not supported: there is no coder for the format, or a transform cannot be applied.
    case unsupported(String)
    /// The manager was shut down.
    case invalidated
    /// The downloader's guard does not allow the host, or its address.
    case forbiddenAddress(host: String, reason: String)

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
    /// The name of the case.
    public var code: String {
        switch self {
        case .invalidURL: "invalidURL"
        case .badData: "badData"
        case .notModified: "notModified"
        case .blocked: "blocked"
        case .invalidRequest: "invalidRequest"
        case .status: "status"
        case .cancelled: "cancelled"
        case .invalidResponse: "invalidResponse"
        case .contentType: "contentType"
        case .unreachable: "unreachable"
        case .timedOut: "timedOut"
        case .insecure: "insecure"
        case .connectionLost: "connectionLost"
        case .tooManyRedirects: "tooManyRedirects"
        case .tooLarge: "tooLarge"
        case .notCached: "notCached"
        case .unreadable: "unreadable"
        case .unwritable: "unwritable"
        case .unsupported: "unsupported"
        case .invalidated: "invalidated"
        case .forbiddenAddress: "forbiddenAddress"
        }
    }

    /// The cause, and a remedy.
    public var description: String {
        switch self {
        case .invalidURL(let what):
            "\(what) Give a whole URL that begins with http:, https:, file: or data:."
        case .badData(let what):
            what
        case .notModified:
            "The image has not changed; the cached one is current."
        case .blocked(let reason):
            "This URL failed a short while ago and is not tried again yet: \(reason) Ask with retryFailed to try at once."
        case .invalidRequest(let what):
            "The request was not sent: \(what)"
        case .status(let status):
            Self.describe(status: status)
        case .cancelled:
            "The load was cancelled."
        case .invalidResponse(let what):
            "The server's answer cannot be used: \(what)"
        case .contentType(let type):
            "The server sent \(type), which this request does not accept. Check the URL, or accept that type."
        case .unreachable(let host, let reason):
            "\(host) cannot be reached: \(reason). Check the host's name and the network."
        case .timedOut(let phase):
            Self.describe(timeout: phase)
        case .insecure(let host, let reason):
            "No secure connection to \(host): \(reason). Check the host's certificate and this machine's clock."
        case .connectionLost(let received, let expected):
            "The connection broke after \(received) \(expected.map { "of \($0) " } ?? "")bytes. Try again."
        case .tooManyRedirects(let count):
            "The server redirected \(count) times without an answer. Check the URL in a browser."
        case .tooLarge(let excess):
            Self.describe(excess: excess)
        case .notCached:
            "The image is not in the cache, and the request allows no other source."
        case .unreadable(let path, let reason):
            "\(path) cannot be read: \(reason)."
        case .unwritable(let path, let reason):
            "\(path) cannot be written: \(reason). Check the permissions and the free space."
        case .unsupported(let what):
            what
        case .invalidated:
            "The image manager was shut down. Make a new one."
        case .forbiddenAddress(let host, let reason):
            "\(host) is not allowed: \(reason). If it is to be, make an exception in the downloader's guard."
        }
    }

    private static func describe(status: Int) -> String {
        switch status {
        case 401, 407: "The server asks for credentials (status \(status)). Give the request an Authorization header."
        case 403: "The server refuses this image (status 403). Check that you may see it."
        case 404, 410: "There is no image at this address (status \(status)). Check the URL."
        case 429: "The server asks for fewer requests (status 429). Try again later."
        case 500...: "The server failed (status \(status)). Try again later."
        default: "The server answered with status \(status) instead of an image."
        }
    }

    private static func describe(timeout: Timeout) -> String {
        switch timeout {
        case .connect: "The server did not answer in time. Try again, or allow a longer timeout."
        case .idle: "The server stopped sending. Try again, or allow a longer timeout."
        case .total: "The load took longer than its deadline. Try again, or allow a longer deadline."
        }
    }

    private static func describe(excess: Excess) -> String {
        switch excess {
        case .pixels(let size, let limit):
            "The image has \(size) pixels, over the limit of \(limit). Raise the limit if you trust it."
        case .bytes(let count, let limit):
            "The file has \(count) bytes or more, over the limit of \(limit). Raise the limit if you trust it."
        case .frames(let count, let limit):
            "The animation has \(count) frames, over the limit of \(limit). Raise the limit if you trust it."
        case .time(let limit):
            "The image takes longer to decode than the limit of \(limit). Raise the limit if you trust it."
        }
    }
}
