/// One HTTP client, reduced to what every client can do: a single exchange. Implement it to plug in another.
///
/// Redirects, retries, caching and the choice of headers live above it, once for all transports.
///
/// 1. `send` returns on the final head of *one* exchange. 3xx, 304, 206 and 404 are answers, not errors.
/// 2. `body.next()` gives `nil` only after a complete body; anything shorter throws.
/// 3. Cancelling the task, or dropping the response, ends the exchange at once and frees its connection or stream.
/// 4. At most `highWatermark` bytes and one read wait unread: a slow reader slows the server down.
/// 5. A request that requires a public address goes to no other, whatever its name means at that moment. A transport that
///    cannot see to it throws `ImageError.unsupported`.
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the head of its answer.
    ///
    /// - Throws: `ImageError.unreachable`, `.timedOut`, `.insecure`, `.connectionLost`, `.invalidResponse`,
    ///   `.invalidURL`, `.unsupported` for a method or header that HTTP cannot carry, `.forbiddenAddress`, `.cancelled`,
    ///   or `.invalidated` after `shutDown`.
    func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse

    /// Ends every exchange and frees connections and threads. Later calls of `send` fail.
    func shutDown() async
}

/// What one exchange needs.
public struct HTTPRequest: Sendable, Hashable {
    /// Absolute, percent-encoded, http or https. User and password in it are not sent: the loader makes a header of them.
    public var url: String
    /// `GET`, unless someone needs another.
    public var method: String
    /// Sent as they stand, in this order.
    public var headers: HTTPHeaders
    /// How long the exchange may take.
    public var timeouts: HTTPTimeouts
    /// Whether a server that cannot prove who it is is accepted (S084). For tests.
    public var allowsInvalidCertificates: Bool
    /// Whom to trust, and how to prove who asks.
    public var security = HTTPSecurity()
    /// What a server's challenge is answered with, where it is `digest`: the loader makes headers of the others.
    public var credential: HTTPCredential?
    /// Whether a connection, new or kept, may only lead to an address of the public internet: the transport checks the
    /// one that it connects to, asks no proxy, and throws `ImageError.forbiddenAddress` for another (B90).
    public var requiresPublicAddress = false
    /// Prefixes of version 6 behind which addresses of version 4 are reached (`HostGuard.translationPrefixes`): such an
    /// address is a public one where that of version 4 is.
    public var translationPrefixes: Set<TranslationPrefix> = []
    /// The most bytes that may wait unread.
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
    /// To reach the host, TLS included, and again until the head of the answer: 15 s.
    public var connect: Duration
    /// Without a byte, while the reader keeps up: 15 s.
    public var idle: Duration
    /// For the whole exchange; `nil` sets no bound.
    public var total: Duration?

    /// Timeouts; the defaults are SDWebImage's 15 s (S188).
    public init(connect: Duration = .seconds(15), idle: Duration = .seconds(15), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

/// The answer to one request: its head, and a body that is pulled.
public struct HTTPResponse: Sendable {
    /// The final status: interim answers (1xx) are swallowed.
    public let status: Int
    /// As sent, order and duplicates kept.
    public let headers: HTTPHeaders
    /// `HTTP/1.1` or `HTTP/2`, where the transport can tell.
    public let version: String?
    /// Bytes that the body will have once decoded; `nil` where the server does not say or compresses.
    public let bodyLength: Int?
    /// How long it took to reach the server, its name and TLS included; `nil` over a kept connection, or where the
    /// transport cannot tell.
    public let connectTime: Duration?
    /// The body, to be read once.
    public let body: HTTPBody

    /// An answer.
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

/// A body in pieces of any size but empty, read by one reader, once. Dropping the last reference ends the exchange.
///
/// Content codings (gzip, deflate) are already undone.
public final class HTTPBody: Sendable {
    private let pull: @Sendable () async throws(ImageError) -> [UInt8]?
    private let cancel: @Sendable () -> Void

    /// A body that calls `next` for each piece, and `cancel` when nobody wants more. `cancel` must not block.
    public init(
        next: @escaping @Sendable () async throws(ImageError) -> [UInt8]?, cancel: @escaping @Sendable () -> Void
    ) {
        pull = next
        self.cancel = cancel
    }

    deinit { cancel() }

    /// The next piece, or `nil` after the last.
    ///
    /// - Throws: `ImageError.connectionLost` for a body that ends early, `.timedOut`, `.cancelled`.
    public func next() async throws(ImageError) -> [UInt8]? { try await pull() }
}
