internal import EaselCore

/// A request and its response, as libcurl carries them.
final class Exchange: HTTPExchange {
    let request: HTTPRequest
    /// The URL of the request, checked.
    let url: RequestURL
    /// The method and the headers of the request, checked.
    let head: RequestHead
    let response: ResponseStream
    let engine: Engine

    /// - Throws: `ImageError.invalidURL` or `.unsupported` for a request that HTTP cannot carry.
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
