internal import EaselCore

/// A request and its response in libcurl.
final class Exchange: HTTPExchange {
    let request: HTTPRequest
    /// The validated URL of the request.
    let url: RequestURL
    /// The validated method and headers of the request.
    let head: RequestHead
    let response: ResponseStream
    let engine: Engine

    /// - Throws: `ImageError.invalidURL` or `.unsupported` for a request that is invalid in HTTP.
    init(_ request: HTTPRequest, engine: Engine) throws(ImageError) {
        url = try RequestURL(request.url)
        head = try RequestHead(method: request.method, headers: request.headers)
        response = ResponseStream(highWatermark: request.highWatermark)
        self.request = request
        self.engine = engine
    }

    func startTransfer() throws(ImageError) { try engine.start(self) }

    func resumeTransfer() { engine.post(.resume(self)) }

    func stopTransfer() { engine.post(.cancel(self)) }
}
