public import EaselCore
import EaselTransport
#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// HTTP with the system's URLSession, for Apple platforms, with the system's proxies, VPNs and App Transport Security.
///
/// It does not follow redirects, cache or keep cookies, which the loader does for all transports. Requests that
/// URLSession does not support throw `ImageError.unsupported`: those that require a public address, because URLSession
/// does not reveal the address before it sends, and those with a client certificate from a file. `HTTPResponse.version`
/// and `connectTime` are unknown when the head arrives; `metrics` reports them at the end. On Linux it exists for
/// tests: a slow reader does not slow down the server, and only the system's certificates are supported. Use
/// `CurlTransport` there.
public final class URLSessionTransport: HTTPTransport {
    /// The shared transport of the process, which reuses connections.
    public static let shared = URLSessionTransport()

    private let session: URLSession
    private let exchanges: SessionDelegate

    /// Creates a transport with separate connections.
    ///
    /// - Parameters:
    ///   - configuration: A configuration without cache, cookies and stored credentials by default. A custom one can
    ///     restrict cellular or expensive networks, or set a proxy. Background configurations are not supported,
    ///     because they deliver no data.
    ///   - metrics: Called at the end of each exchange with the system's metrics.
    public init(
        configuration: URLSessionConfiguration = URLSessionTransport.plainConfiguration,
        metrics: (@Sendable (URLSessionTaskMetrics) -> Void)? = nil
    ) {
        exchanges = SessionDelegate(metrics: metrics)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { exchanges.shutDown(session) }

    /// A configuration that stores nothing.
    public static var plainConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        // Each downloader limits its own transfers per host.
        configuration.httpMaximumConnectionsPerHost = 24
        return configuration
    }

    /// Sends a request and waits for the head of its response.
    ///
    /// - Throws: The errors of `HTTPTransport.send`.
    public func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let exchange = try SessionExchange(request, anchors: try await ServerTrust.anchors(for: request)) {
            [exchanges, session] (exchange) throws(ImageError) in
            try exchanges.start(exchange, in: session)
        }
        let head = try await exchange.start()
        // The body retains the transport, so that it can be read after the transport was released elsewhere.
        let body = HTTPBody(
            next: { [self] () async throws(ImageError) -> [UInt8]? in
                defer { withExtendedLifetime(self) {} }
                return try await exchange.next()
            }, cancel: { exchange.cancel() })
        return HTTPResponse(
            status: head.status, headers: head.headers, bodyLength: head.bodyLength(method: request.method), body: body)
    }

    /// Ends all exchanges and closes the connections. Exchanges in progress and later ones throw
    /// `ImageError.invalidated`.
    public func shutDown() async { exchanges.shutDown(session) }
}
