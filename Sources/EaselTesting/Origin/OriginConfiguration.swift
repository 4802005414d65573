/// The configuration of an `OriginServer`.
public struct OriginConfiguration: OriginRouting, Sendable {
    /// The port on 127.0.0.1; 0 selects a free one.
    public var port = 0
    /// The clock for delays and drips. With a `ManualClock`, a test controls them.
    public var clock: any Clock<Duration> = ContinuousClock()
    #if OriginServerTLS
    /// The certificate for TLS. Without one, the server uses plain HTTP.
    public var tls: OriginCertificate?
    /// The certificate that clients must present. Without one, they need none.
    public var clientCertificate: OriginCertificate?
    #endif
    /// The responses.
    public let routes = OriginRoutes()

    init() {}
}

/// A fault of a response.
///
/// Faults combine: `[.hold(gate), .chunked(), .truncate(at: 100)]` waits, sends chunks and then truncates. Offsets
/// count bytes of the sent body, after compression and ranges, without the framing of chunks.
public enum OriginFault: Sendable, Equatable {
    /// Delays the head, by the server's clock.
    case delay(Duration)
    /// Sends the head, then delays the body, by the server's clock.
    case delayBody(Duration)
    /// Holds the whole response until the gate opens.
    case hold(Gate)
    /// Sends the head and this many bytes of the body, then holds the rest until the gate opens, if ever.
    case holdBody(Gate, at: Int = 0)
    /// Sends the body in pieces of this many bytes, with pauses by the server's clock.
    case drip(bytes: Int, every: Duration)
    /// Sends the head in pieces of this many bytes, with pauses by the server's clock (slow loris).
    case dripHead(bytes: Int, every: Duration)
    /// Closes the connection after this many bytes of the response, head included.
    case closeAfter(Int)
    /// Announces chunks, and sends bytes that are not chunks.
    case garbageChunks
    /// Announces the whole body, sends this many bytes, and closes the connection. `chunked` lacks its last chunk.
    case truncate(at: Int)
    /// Announces the whole body, sends this many bytes, and resets the connection (RST), so that the client receives an
    /// error, not an end. Bytes that the client could not buffer are lost.
    case reset(at: Int)
    /// Announces this length, sends the actual body, and closes the connection.
    case wrongLength(Int)
    /// Sends the body in chunks of this many bytes (RFC 9112 7.1), so its length is unknown before its end.
    case chunked(size: Int = 1024)
    /// Announces no length: the end of the connection ends the body (RFC 9112 6.3).
    case untilClose
    /// Sends the head with a length of 0, and no body.
    case emptyBody
    /// Closes the connection without sending anything.
    case closeBeforeHead
    /// Closes the connection after half of the head.
    case closeInsideHead
    /// Sends bytes that are not HTTP instead of a head, then the body, and closes the connection.
    case garbageHead
    /// Adds this many header fields, each with a value of this many bytes.
    case extraHeaders(count: Int, size: Int)
    /// Never responds. The connection stays open until the client closes it.
    case noResponse
}
