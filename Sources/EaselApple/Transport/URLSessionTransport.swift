public import EaselCore
import Synchronization
#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// HTTP over the system's URLSession: the transport of Apple's platforms, where proxies, VPNs and the rules of App
/// Transport Security are the system's.
///
/// Redirects are answers, nothing is cached, and no cookie is kept: all that is done above, once for every transport. What
/// URLSession cannot do is refused with `ImageError.unsupported`: a request that requires a public address, as it names no
/// address before it sends, and a client certificate from a file. `HTTPResponse.version` and `connectTime` are not known
/// when the head is there; `metrics` tells them at the end. On Linux, where it is there for tests, a slow reader does not
/// slow the server down, and the system's certificates are the only ones: use `CurlTransport` there.
public final class URLSessionTransport: HTTPTransport {
    /// The transport that the whole process shares, so that connections are used again.
    public static let shared = URLSessionTransport()

    private let session: URLSession
    private let exchanges: SessionExchanges

    /// A transport with connections of its own.
    ///
    /// - Parameters:
    ///   - configuration: without cache, cookies and credentials that are stored. Another may allow cellular or expensive
    ///     networks or not, or name a proxy; a background configuration will not do, which hands over no bytes.
    ///   - metrics: is told of each exchange what the system measured of it, when it is over.
    public init(
        configuration: URLSessionConfiguration = URLSessionTransport.plainConfiguration,
        metrics: (@Sendable (URLSessionTaskMetrics) -> Void)? = nil
    ) {
        exchanges = SessionExchanges()
        session = URLSession(
            configuration: configuration, delegate: SessionDelegate(exchanges, metrics: metrics), delegateQueue: nil)
    }

    deinit { exchanges.shutDown(session) }

    /// A session that keeps nothing: the loader does.
    public static var plainConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        // Each downloader bounds its own transfers with a host.
        configuration.httpMaximumConnectionsPerHost = 24
        return configuration
    }

    /// Sends a request and waits for the head of its answer.
    ///
    /// - Throws: what `HTTPTransport.send` names.
    public func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let exchange = try SessionExchange(request, anchors: try await ServerTrust.anchors(for: request)) {
            [exchanges, session] (exchange) throws(ImageError) in
            try exchanges.start(exchange, in: session)
        }
        let head = try await exchange.start()
        // The body keeps the transport: whoever has only the answer left can still read it.
        let body = HTTPBody(
            next: { [self] () async throws(ImageError) -> [UInt8]? in
                defer { withExtendedLifetime(self) {} }
                return try await exchange.next()
            }, cancel: { exchange.cancel() })
        return HTTPResponse(
            status: head.status, headers: head.headers, bodyLength: head.bodyLength(method: request.method), body: body)
    }

    /// Ends every exchange and frees the connections. What was under way and what is sent afterwards throws
    /// `ImageError.invalidated`.
    public func shutDown() async { exchanges.shutDown(session) }
}

/// The exchanges that are under way, by the number of their task.
final class SessionExchanges: Sendable {
    private struct State {
        var exchanges: [Int: SessionExchange] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// Under the lock, because a session that is invalid raises an exception when it is asked for a task.
    func start(_ exchange: SessionExchange, in session: URLSession) throws(ImageError) -> URLSessionDataTask {
        let urlRequest = try exchange.urlRequest()
        let task: URLSessionDataTask? = state.withLock { state in
            guard !state.isShutDown else { return nil }
            let task = session.dataTask(with: urlRequest)
            state.exchanges[task.taskIdentifier] = exchange
            return task
        }
        guard let task else { throw .invalidated }
        return task
    }

    subscript(task: URLSessionTask) -> SessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    func remove(_ task: URLSessionTask) -> SessionExchange? {
        state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
    }

    func shutDown(_ session: URLSession) {
        let ended: [SessionExchange]? = state.withLock { state in
            guard !state.isShutDown else { return nil }
            state.isShutDown = true
            defer { state.exchanges = [:] }
            return Array(state.exchanges.values)
        }
        guard let ended else { return }
        session.invalidateAndCancel()
        for exchange in ended { exchange.finish(.failure(.invalidated)) }
    }
}
