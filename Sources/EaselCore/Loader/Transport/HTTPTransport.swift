/// An HTTP client that carries single exchanges. Implement it to use another client.
///
/// The downloader adds redirects, retries, caching and headers.
///
/// 1. `send` returns the final head of *one* exchange. 3xx, 304, 206 and 404 are responses, not errors.
/// 2. `body.next()` returns `nil` only after a complete body, and throws after an incomplete one.
/// 3. Cancelling the task, or releasing the response, ends the exchange at once and frees its connection or stream.
/// 4. At most `highWatermark` bytes and one read are unread: a slow reader slows the server down.
/// 5. A request that requires a public address is sent to no other, whatever its name resolves to. A transport that
///    cannot ensure this throws `ImageError.unsupported`.
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the head of its response.
    ///
    /// - Throws: `ImageError.unreachable`, `.timedOut`, `.insecure`, `.connectionLost`, `.invalidResponse`,
    ///   `.invalidURL`, `.unsupported` for a method or header that HTTP cannot carry, `.forbiddenAddress`,
    ///   `.cancelled`, or `.invalidated` after `shutDown`.
    func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse

    /// Ends every exchange and frees connections and threads. Later calls of `send` fail.
    func shutDown() async
}

/// The request of one exchange.
public struct HTTPRequest: Sendable, Hashable {
    /// The absolute, percent-encoded http or https URL. A user and password in it are not sent: the loader adds them to
    /// the headers.
    public var url: String
    /// The method, normally `GET`.
    public var method: String
    /// The header fields, sent in order.
    public var headers: HTTPHeaders
    /// The timeouts of the exchange.
    public var timeouts: HTTPTimeouts
    /// Whether invalid certificates are accepted. For tests.
    public var allowsInvalidCertificates: Bool
    /// The trusted certificates, and the client's certificate.
    public var security = HTTPSecurity()
    /// Credentials for a server's challenge, if they are `digest`. The loader adds others to the headers.
    public var credential: HTTPCredential?
    /// Whether each connection, new or reused, must have an address of the public internet. The transport then checks
    /// the address, uses no proxy, and throws `ImageError.forbiddenAddress`.
    public var requiresPublicAddress = false
    /// The body, for a method that has one. Only `CurlTransport` sends it.
    package var body: [UInt8]?
    /// The largest number of unread bytes.
    package var highWatermark: Int

    /// Creates a request.
    public init(
        url: String, method: String = "GET", headers: HTTPHeaders = [:],
        timeouts: HTTPTimeouts = HTTPTimeouts(), allowsInvalidCertificates: Bool = false,
        highWatermark: Int = 256 << 10
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.timeouts = timeouts
        self.allowsInvalidCertificates = allowsInvalidCertificates
        self.highWatermark = highWatermark
    }
}

/// The timeouts of an exchange.
public struct HTTPTimeouts: Sendable, Hashable {
    /// The longest time to reach the host, with TLS, and again until the head of the response.
    public var connect: Duration
    /// The longest time without a byte, unless the reader is slower than the server.
    public var idle: Duration
    /// The longest time of the whole exchange; `nil` for no limit.
    public var total: Duration?

    /// Creates timeouts, by default 15 s to connect and 15 s without a byte.
    public init(connect: Duration = .seconds(15), idle: Duration = .seconds(15), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

/// The response of one exchange.
public struct HTTPResponse: Sendable {
    /// The final status, after interim responses (1xx).
    public let status: Int
    /// The header fields, in order and with duplicates.
    public let headers: HTTPHeaders
    /// `HTTP/1.1` or `HTTP/2`, if known.
    public let version: String?
    /// The length of the decoded body, if known.
    public let bodyLength: Int?
    /// How long it took to connect, with name lookup and TLS; `nil` for a reused connection, or if unknown.
    public let connectTime: Duration?
    /// The body, to be read once.
    public let body: HTTPBody

    /// Creates a response.
    public init(
        status: Int, headers: HTTPHeaders, version: String? = nil, bodyLength: Int? = nil,
        connectTime: Duration? = nil, body: HTTPBody
    ) {
        self.status = status
        self.headers = headers
        self.version = version
        self.bodyLength = bodyLength
        self.connectTime = connectTime
        self.body = body
    }
}

/// A body in chunks of at least one byte, read once by one reader. Its deinit ends the exchange.
///
/// Content codings (gzip, deflate) are decoded.
public final class HTTPBody: Sendable {
    private let pull: @Sendable () async throws(ImageError) -> [UInt8]?
    private let cancel: @Sendable () -> Void

    /// Creates a body that calls `next` for each chunk, and `cancel`, which must not block, at its deinit.
    public init(
        next: @escaping @Sendable () async throws(ImageError) -> [UInt8]?, cancel: @escaping @Sendable () -> Void
    ) {
        pull = next
        self.cancel = cancel
    }

    deinit { cancel() }

    /// Returns the next chunk, or `nil` after the last.
    ///
    /// - Throws: `ImageError.connectionLost` for an incomplete body, `.timedOut`, `.cancelled`.
    public func next() async throws(ImageError) -> [UInt8]? { try await pull() }
}
