/// Why a load ended without a picture. Every case tells a person what happened and what to do; none holds a secret of
/// the URL (B109).
///
/// `number` gives SDWebImage's error codes (X061) where it has one, and Easel's own from 3000 on.
public enum ImageError: Error, Sendable, Hashable {
    /// The URL is missing, malformed, or of a scheme that no loader takes.
    case invalidURL(String)
    /// What came is not a picture, or a damaged one, or of a format that no coder takes. The text says which.
    case badData(String)
    /// A refresh found the cached picture still current.
    case notModified
    /// The URL failed before in a way that does not pass soon; `retryFailed` or `forgetFailures()` tries it again.
    case blocked(reason: String)
    /// The request was refused or spoilt before it was sent, by a request modifier.
    case invalidRequest(String)
    /// The server answered with this status instead of a picture.
    case status(Int)
    /// The load was cancelled by its owner.
    case cancelled
    /// The server's answer breaks HTTP, or lacks what it needs.
    case invalidResponse(String)
    /// The server's answer has a content type that the request does not accept.
    case contentType(String)
    /// The host has no address, or nothing answers there.
    case unreachable(host: String, reason: String)
    /// Nothing came for too long.
    case timedOut(Timeout)
    /// The server cannot prove who it is, or the encrypted connection failed.
    case insecure(host: String, reason: String)
    /// The connection broke after `received` bytes of `expected`.
    case connectionLost(received: Int, expected: Int?)
    /// More redirects than allowed, or a circle of them.
    case tooManyRedirects(Int)
    /// The picture or its file is larger than the request's limits allow.
    case tooLarge(Excess)
    /// The picture is not in the cache, and the request allows no other source.
    case notCached
    /// A file could not be read.
    case unreadable(path: String, reason: String)
    /// A file could not be written.
    case unwritable(path: String, reason: String)
    /// Nothing here can do what was asked: no coder for the format, say, or a transform that cannot be applied.
    case unsupported(String)
    /// The manager was shut down.
    case invalidated
    /// The downloader's guard allows no request to this host, or to an address that it has.
    case forbiddenAddress(host: String, reason: String)

    /// What took too long.
    public enum Timeout: String, Sendable, Hashable {
        /// Reaching the host and the head of its answer.
        case connect
        /// No byte came for this long.
        case idle
        /// The whole load.
        case total
    }

    /// What was over its limit.
    public enum Excess: Sendable, Hashable {
        /// The header announces this size.
        case pixels(PixelSize, limit: Int)
        /// The body has, or announces, this many bytes.
        case bytes(Int, limit: Int)
        /// The animation has this many frames.
        case frames(Int, limit: Int)
        /// Decoding takes longer than this.
        case time(limit: Duration)
    }
}
