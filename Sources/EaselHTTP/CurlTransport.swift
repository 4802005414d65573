public import EaselCore

/// HTTP/1.1 and HTTP/2 over the system's libcurl: the transport of Linux, and of whoever wants it elsewhere.
///
/// All exchanges of one transport share a thread and its connections; HTTP/2 is chosen by the server over TLS.
/// Certificates are verified. Redirects are answers, nothing is cached, no cookie is kept. The things that are sent twice
/// are a request whose kept connection turns out to be closed before a byte of the answer came, or to hold the rest of an
/// earlier answer that was longer than it said, and one with a `digest` credential, once the server has said what to prove
/// it with.
///
/// gzip and deflate are undone even where nobody asked for them; `Accept-Encoding: identity` is sent unless the
/// request's headers say something else. A body with another content coding throws `ImageError.invalidResponse`.
///
/// The thread starts with the first exchange. It ends with `shutDown`, or when the transport and every body that it
/// made are gone.
public final class CurlTransport: HTTPTransport {
    private let engine: Engine

    /// A transport with its own thread and connections. Make one and share it: connections are only used again
    /// within a transport.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: connections at a time to one host; what is over waits in line for one. HTTP/2 needs one.
    ///     `nil` sets no bound, for a transport under a downloader that bounds its transfers.
    ///   - proxy: what the environment names.
    public init(connectionsPerHost: Int? = 6, proxy: HTTPProxy = .environment) {
        engine = Engine(TransportSettings(proxy: proxy, connectionsPerHost: max(0, connectionsPerHost ?? 0)))
    }

    deinit { engine.stop() }

    /// Sends a request and waits for the head of its answer.
    ///
    /// - Throws: what `HTTPTransport.send` names, and `ImageError.unsupported` where memory or threads have run out.
    public func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let exchange = try Exchange(request, engine: engine)
        let head = try await exchange.start()
        let reader = BodyReader(exchange, coding: head.contentCoding)
        // The body keeps the transport: a caller may keep only the response.
        let body = HTTPBody(
            next: { [self] () async throws(ImageError) -> [UInt8]? in
                defer { withExtendedLifetime(self) {} }
                return try await reader.next()
            }, cancel: { exchange.cancel() })
        return HTTPResponse(
            status: head.status, headers: head.headers, version: head.version,
            bodyLength: head.bodyLength(method: request.method), connectTime: head.connectTime, body: body)
    }

    /// Ends every exchange and frees connections and the thread, and returns when all is gone. What was under way and
    /// what is sent afterwards throws `ImageError.invalidated`.
    public func shutDown() async { await engine.stopAndWait() }
}
