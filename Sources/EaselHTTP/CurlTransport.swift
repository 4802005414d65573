public import EaselCore

/// HTTP/1.1 and HTTP/2 over the system's libcurl: the transport of Linux, and of whoever wants it elsewhere.
///
/// All exchanges of one transport share a thread and its connections, six to a host; HTTP/2 is chosen by the server
/// over TLS. Certificates are verified, and proxies taken from the environment (`http_proxy`, `https_proxy`,
/// `no_proxy`). Redirects are answers, nothing is cached, no cookie is kept. The one thing that is sent twice is a
/// request whose kept connection turns out to be closed before a byte of the answer came.
///
/// gzip and deflate are undone even where nobody asked for them; `Accept-Encoding: identity` is sent unless the
/// request's headers say something else. A body with another content coding throws `ImageError.invalidResponse`.
///
/// The thread starts with the first exchange. It ends with `shutDown`, or when the transport and every body that it
/// made are gone.
public final class CurlTransport: HTTPTransport {
    private let engine = Engine()

    /// A transport with its own thread and connections. Make one and share it: connections are only used again
    /// within a transport.
    public init() {}

    deinit { engine.stop() }

    /// Sends a request and waits for the head of its answer.
    ///
    /// - Throws: what `HTTPTransport.send` names, and `ImageError.unsupported` where memory or threads have run out.
    public func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let exchange = try Exchange(request, engine: engine)
        let head = try await exchange.start()
        let reader = BodyReader(exchange, coding: head.contentCoding)
        // The body keeps the transport: whoever has only the answer left can still read it.
        let body = HTTPBody(
            next: { [self] () async throws(ImageError) -> [UInt8]? in
                defer { withExtendedLifetime(self) {} }
                return try await reader.next()
            }, cancel: { exchange.cancel() })
        return HTTPResponse(
            status: head.status, headers: head.headers, version: head.version,
            bodyLength: head.bodyLength(method: request.method), body: body)
    }

    /// Ends every exchange and frees connections and the thread, and returns when all is gone. What was under way and
    /// what is sent afterwards throws `ImageError.invalidated`.
    public func shutDown() async { await engine.stopAndWait() }
}
