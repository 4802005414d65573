/// An HTTP client, reduced to a single exchange. Implement it to use another client.
///
/// Redirects, retries, caching and the choice of headers are above it, for all transports.
///
/// 1. `send` returns with the final head of *one* exchange. 3xx, 304, 206 and 404 are responses, not errors.
/// 2. `body.next()` returns `nil` only after a complete body; anything shorter throws.
/// 3. Cancelling the task, or dropping the response, ends the exchange at once and frees its connection or stream.
/// 4. At most `highWatermark` bytes and one read wait unread: a slow reader slows the server down.
/// 5. A request that requires a public address is sent to no other, whatever its name resolves to at that moment. A
///    transport that cannot ensure this throws `ImageError.unsupported`.
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
    /// Absolute, percent-encoded, http or https. A user and password in it are not sent: the loader makes a header of
    /// them.
    public var url: String
    /// `GET`, as a rule.
    public var method: String
    /// Sent as they stand, in this order.
    public var headers: HTTPHeaders
    /// How long the exchange may take.
    public var timeouts: HTTPTimeouts
    /// Whether a server with an invalid certificate is accepted. For tests.
    public var allowsInvalidCertificates: Bool
    /// The certificates to trust, and the client's own.
    public var security = HTTPSecurity()
    /// Credentials for a server's challenge, if they are `digest`: the loader makes headers of the others.
    public var credential: HTTPCredential?
    /// Whether a connection, new or reused, may only lead to an address of the public internet: the transport checks
    /// the address that it connects to, uses no proxy, and throws `ImageError.forbiddenAddress` for another.
    public var requiresPublicAddress = false
    /// The prefixes of a NAT64 (`HostGuard.translationPrefixes`): an address with one is public if its address of
    /// version 4 is.
    public var translationPrefixes: Set<TranslationPrefix> = []
    /// The most unread bytes.
    public var highWatermark: Int

    /// A GET request.
    public init(
        url: String, method: String = "GET", headers: HTTPHeaders = HTTPHeaders(),
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

/// How long an exchange may take.
public struct HTTPTimeouts: Sendable, Hashable {
    /// To reach the host, TLS included, and again until the head of the response: 15 s.
    public var connect: Duration
    /// Without a byte, while the reader keeps up: 15 s.
    public var idle: Duration
    /// For the whole exchange; `nil` sets no bound.
    public var total: Duration?

    /// Timeouts; the defaults are SDWebImage's 15 s.
    public init(connect: Duration = .seconds(15), idle: Duration = .seconds(15), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

/// The response of one exchange: its head, and a body to read.
public struct HTTPResponse: Sendable {
    /// The final status: interim responses (1xx) are skipped.
    public let status: Int
    /// As sent, in order and with duplicates.
    public let headers: HTTPHeaders
    /// `HTTP/1.1` or `HTTP/2`, if the transport can tell.
    public let version: String?
    /// The length of the decoded body; `nil` if the server does not say or compresses.
    public let bodyLength: Int?
    /// How long it took to reach the server, its name and TLS included; `nil` over a reused connection, or if the
    /// transport cannot tell.
    public let connectTime: Duration?
    /// The body, to be read once.
    public let body: HTTPBody

    /// A response.
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

    /// A body that calls `next` for each chunk, and `cancel` at its deinit. `cancel` must not block.
    public init(
        next: @escaping @Sendable () async throws(ImageError) -> [UInt8]?, cancel: @escaping @Sendable () -> Void
    ) {
        pull = next
        self.cancel = cancel
    }

    deinit { cancel() }

    /// The next chunk, or `nil` after the last.
    ///
    /// - Throws: `ImageError.connectionLost` for a body that ends early, `.timedOut`, `.cancelled`.
    public func next() async throws(ImageError) -> [UInt8]? { try await pull() }
}
