import CEaselCurl
public import EaselCore
import EaselTransport

/// An HTTP/1.1 and HTTP/2 transport based on the system's libcurl. The default on Linux, available on all platforms.
///
/// All exchanges of a transport share a thread and its connections. HTTP/2 is negotiated over TLS. Certificates are
/// verified. Redirects are returned as responses, nothing is cached, and no cookies are stored.
///
/// A request is sent twice in two cases: if its reused connection is closed before the response, or contains the rest
/// of an earlier response that exceeded its length; and with a `digest` credential, after the server's challenge.
///
/// gzip and deflate are always decompressed, even if not requested. Requests have `Accept-Encoding: identity` unless
/// their headers contain another value. A body with another content coding throws `ImageError.invalidResponse`.
///
/// The thread starts with the first exchange. It ends with `shutDown`, or when the transport and its bodies are
/// released.
public final class CurlTransport: HTTPTransport {
    private let engine: Engine

    /// Creates a transport with its own thread and connections. Share it, since connections are reused only within it.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: the maximum number of concurrent connections to a host; further requests wait. HTTP/2
    ///     needs only one. `nil` sets no limit, for a downloader that limits its own transfers.
    ///   - proxy: the proxy; by default that of the environment.
    public init(connectionsPerHost: Int? = 6, proxy: HTTPProxy = .environment) {
        engine = Engine(TransportSettings(proxy: proxy, connectionsPerHost: max(0, connectionsPerHost ?? 0)))
    }

    deinit { engine.stop() }

    /// Sends a request and returns the response after its head has arrived.
    ///
    /// - Throws: the errors of `HTTPTransport.send`, and `ImageError.unsupported` if memory or threads are exhausted.
    public func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let exchange = try Exchange(request, engine: engine)
        let head = try await exchange.start()
        let reader = BodyReader(exchange, coding: head.contentCoding)
        // The body retains the transport, since a caller may keep only the response.
        let body = HTTPBody(
            next: { [self] () async throws(ImageError) -> [UInt8]? in
                defer { withExtendedLifetime(self) {} }
                return try await reader.next()
            }, cancel: { exchange.cancel() })
        return HTTPResponse(
            status: head.status, headers: head.headers, version: head.version,
            bodyLength: head.bodyLength(method: request.method), connectTime: head.connectTime, body: body)
    }

    /// Ends all exchanges, releases connections and the thread, and waits until they have ended. Running and later
    /// exchanges throw `ImageError.invalidated`.
    public func shutDown() async { await engine.stopAndWait() }
}

/// The proxy of a transport.
public enum HTTPProxy: Sendable, Hashable {
    /// The proxies in the environment: `http_proxy` (only lower case, since CGI requests can set `HTTP_PROXY`),
    /// `https_proxy` and `ALL_PROXY`, except for the hosts in `no_proxy`.
    case environment
    /// No proxy, whatever the environment contains.
    case none
    /// A proxy URL such as `http://user:password@proxy.example:3128`, also with the schemes https and socks5.
    case url(String)
}

struct TransportSettings: Sendable {
    var proxy = HTTPProxy.environment
    var connectionsPerHost = 6
}

extension CurlTransport {
    /// The version of libcurl.
    package static var libraryVersion: String { String(cString: easel_curl_version()) }
}
