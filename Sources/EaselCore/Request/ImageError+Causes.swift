extension ImageError {
    /// The load was cancelled.
    public static let cancelled = ImageError(.cancelled, "The load was cancelled.")

    /// The image is not in the cache, and the request allows no other source.
    package static let notCached = ImageError(
        .notCached, "The image is not in the cache, and the request allows no other source.")

    package static let offline = ImageError(.offline, "The image is not in the cache, and there is no network.")

    package static let invalidated = ImageError(.invalidated, "The image manager was shut down.")

    /// Returns the error of a URL that is malformed, or has a scheme that no loader accepts.
    package static func invalidURL(_ message: String) -> ImageError { ImageError(.invalidURL, message) }

    /// Returns the error of a file that is not an image, is damaged, or has a format without a coder.
    package static func badData(_ message: String) -> ImageError { ImageError(.badData, message) }

    /// Returns the error of an operation that is not supported.
    package static func unsupported(_ message: String) -> ImageError { ImageError(.unsupported, message) }

    /// Returns the error of a response with a status other than success.
    public static func status(_ status: Int) -> ImageError {
        let message =
            switch status {
            case 401, 407: "The server asks for credentials (status \(status))."
            case 403: "The server refuses this image (status 403)."
            case 404, 410: "There is no image at this address (status \(status))."
            case 429: "The server asks for fewer requests (status 429)."
            case 500...: "The server failed (status \(status))."
            default: "The server answered with status \(status) instead of an image."
            }
        var error = ImageError(.status, message)
        error.status = status
        return error
    }

    /// Returns the error of a timeout.
    public static func timedOut(_ timeout: Timeout) -> ImageError {
        let message =
            switch timeout {
            case .connect: "The server did not answer in time."
            case .idle: "The server stopped sending."
            case .total: "The load took longer than its deadline."
            }
        var error = ImageError(.timedOut, message)
        error.timeout = timeout
        return error
    }

    /// Returns the error of an image or a file that exceeds a limit.
    public static func tooLarge(_ excess: Excess) -> ImageError {
        let message =
            switch excess {
            case .pixels(let size, let limit): "The image has \(size) pixels, over the limit of \(limit)."
            case .bytes(let count, let limit): "The file has \(count) bytes or more, over the limit of \(limit)."
            case .frames(let count, let limit): "The animation has \(count) frames, over the limit of \(limit)."
            case .time(let limit): "The image takes longer to decode than the limit of \(limit)."
            }
        var error = ImageError(.tooLarge, message)
        error.excess = excess
        return error
    }

    /// Returns the error of a host that has no address, or does not respond.
    package static func unreachable(host: String, reason: String) -> ImageError {
        ImageError(.unreachable, "\(host) cannot be reached: \(reason).")
    }

    package static func blocked(by error: ImageError) -> ImageError {
        ImageError(.blocked, "This URL failed a short while ago and is not tried again yet: \(error)").caused(by: error)
    }

    package static func invalidRequest(_ reason: String) -> ImageError {
        ImageError(.invalidRequest, "The request was not sent: \(reason)")
    }

    package static func invalidResponse(_ reason: String) -> ImageError {
        ImageError(.invalidResponse, "The server's answer cannot be used: \(reason)")
    }

    package static func contentType(_ type: String) -> ImageError {
        ImageError(.contentType, "The server sent \(type), which this request does not accept.")
    }

    package static func insecure(host: String, reason: String) -> ImageError {
        ImageError(.insecure, "No secure connection to \(host): \(reason).")
    }

    package static func connectionLost(received: Int, expected: Int?) -> ImageError {
        ImageError(
            .connectionLost,
            "The connection broke after \(received) \(expected.map { "of \($0) " } ?? "")bytes.")
    }

    package static func tooManyRedirects(_ count: Int) -> ImageError {
        ImageError(.tooManyRedirects, "The server redirected \(count) times without an answer.")
    }

    package static func unreadable(path: String, reason: String) -> ImageError {
        ImageError(.unreadable, "\(path) cannot be read: \(reason).")
    }

    package static func unwritable(path: String, reason: String) -> ImageError {
        ImageError(.unwritable, "\(path) cannot be written: \(reason).")
    }

    package static func unreadable(path: String, _ error: SystemError) -> ImageError {
        unreadable(path: path, reason: error.reason).caused(by: error.posix)
    }

    package static func unwritable(path: String, _ error: SystemError) -> ImageError {
        unwritable(path: path, reason: error.reason).caused(by: error.posix)
    }

    package static func forbiddenAddress(host: String, reason: String) -> ImageError {
        ImageError(.forbiddenAddress, "\(host) is not allowed: \(reason).")
    }
}
