public import EaselCore

/// The configuration of an `OriginServer`.
public struct OriginConfiguration: Sendable {
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
    var routes = OriginRoutes()

    init() {}

    /// Responds to requests for `path`, with any query, with `response`. Appends faults to those of the response.
    public mutating func respond(_ path: String, with response: OriginResponse, faults: [OriginFault] = []) {
        routes.respond(path, with: [response.with(faults: faults)])
    }

    /// Responds to requests for `path` with `responses` in order. The last one repeats.
    public mutating func respond(_ path: String, with responses: [OriginResponse]) {
        routes.respond(path, with: responses)
    }

    /// Responds to requests for `path` with the result of `handler`.
    public mutating func respond(_ path: String, handler: @escaping @Sendable (OriginRequest) async -> OriginResponse) {
        routes.respond(path, handler: handler)
    }

    /// Serves the files below `folder` at paths that begin with `prefix`. A path's own response takes precedence.
    ///
    /// Hidden files and paths outside of the folder are not served.
    ///
    /// - Parameters:
    ///   - folder: a path in the file system. Files are read on request.
    ///   - prefix: the path of the folder on the server.
    ///   - headers: fields for every file, such as `Cache-Control`.
    public mutating func serve(folder: String, at prefix: String = "/", headers: HTTPHeaders = HTTPHeaders()) {
        routes.serve(folder: folder, at: prefix, headers: headers)
    }
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
    case neverAnswers

    /// Announces 10 GB and sends the actual body.
    public static let hugeContentLength = OriginFault.wrongLength(10_000_000_000)
}
