#if Server
/// The time limits of a connection.
struct ConnectionTimeouts: Sendable, Hashable {
    /// The longest time of a TLS handshake, and then until the head of the first request is complete.
    var head: Duration = .seconds(10)
    /// The longest time between a response and the complete head of the next request.
    var idle: Duration = .seconds(75)
    /// The longest time in which a client that is sent a response receives nothing of it.
    var write: Duration = .seconds(30)
}

/// Decides when a connection has to be closed: before slow heads, between requests, and during responses that are not
/// read. A pure value; the time is an argument.
struct ConnectionState: Sendable {
    private let timeouts: ConnectionTimeouts
    /// Requests whose responses are not complete.
    private var requestCount = 0
    /// Pieces of responses that the system has not accepted.
    private var pendingWrites = 0
    private var hasServedAny = false
    /// When the connection began to wait for a head.
    private var waitingSince: Duration
    /// When a piece of a response was last accepted, or the first one was written.
    private var lastProgress: Duration

    init(timeouts: ConnectionTimeouts, now: Duration) {
        self.timeouts = timeouts
        waitingSince = now
        lastProgress = now
    }

    /// When the connection has to be closed, unless something happens; `nil` while a request is processed.
    var deadline: Duration? {
        if pendingWrites > 0 { return lastProgress + timeouts.write }
        if requestCount > 0 { return nil }
        return waitingSince + (hasServedAny ? timeouts.idle : timeouts.head)
    }

    /// Whether all responses are complete.
    var isWaiting: Bool { requestCount == 0 }

    /// Whether all responses are complete, and the system has accepted them.
    var isQuiet: Bool { requestCount == 0 && pendingWrites == 0 }

    /// Whether the client has received all responses, and sends no request.
    var isIdle: Bool { isQuiet && hasServedAny }

    mutating func receiveHead() { requestCount += 1 }

    /// A piece of a response was written, and has not been accepted yet.
    mutating func beginWrite(now: Duration) {
        if pendingWrites == 0 { lastProgress = now }
        pendingWrites += 1
    }

    /// The system has accepted a piece of a response.
    mutating func endWrite(now: Duration) {
        pendingWrites = max(0, pendingWrites - 1)
        lastProgress = now
        // Waiting for the next request begins when the response is on its way.
        if requestCount == 0 { waitingSince = now }
    }

    /// A response is complete.
    mutating func endResponse(now: Duration) {
        requestCount = max(0, requestCount - 1)
        hasServedAny = true
        waitingSince = now
    }
}
#endif
