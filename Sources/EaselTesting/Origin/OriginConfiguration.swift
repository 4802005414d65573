public import EaselCore

/// How an `OriginServer` starts.
public struct OriginConfiguration: Sendable {
    /// The port on 127.0.0.1; 0 takes a free one.
    public var port = 0
    /// What delays and drips are measured by. With a `ManualClock` a test says when they are over.
    public var clock: any Clock<Duration> = ContinuousClock()
    #if OriginServerTLS
    /// The certificate to speak TLS with; without one the server speaks plain HTTP.
    public var tls: OriginCertificate?
    /// The certificate that clients have to prove to hold; without one they need none.
    public var clientCertificate: OriginCertificate?
    #endif
    var routes = OriginRoutes()

    init() {}

    /// Answers requests for `path`, whatever their query, with `response` and, added to its own, these faults.
    public mutating func respond(_ path: String, with response: OriginResponse, faults: [OriginFault] = []) {
        routes.respond(path, with: [response.with(faults: faults)])
    }

    /// Answers the first request for `path` with the first of `responses`, the second with the second, and all further
    /// ones with the last.
    public mutating func respond(_ path: String, with responses: [OriginResponse]) {
        routes.respond(path, with: responses)
    }

    /// Answers requests for `path` with what `handler` makes of them.
    public mutating func respond(_ path: String, handler: @escaping @Sendable (OriginRequest) async -> OriginResponse) {
        routes.respond(path, handler: handler)
    }

    /// Serves the files below `folder` under paths that begin with `prefix`. A path's own response comes before.
    ///
    /// Hidden files and paths that lead out of the folder are not served.
    ///
    /// - Parameters:
    ///   - folder: a path of the file system; its files are read when they are asked for.
    ///   - prefix: `/`, unless the folder is to lie deeper.
    ///   - headers: fields for every file, such as `Cache-Control`.
    public mutating func serve(folder: String, at prefix: String = "/", headers: HTTPHeaders = HTTPHeaders()) {
        routes.serve(folder: folder, at: prefix, headers: headers)
    }
}

/// One thing that goes wrong on the way of an answer.
///
/// Faults add up: `[.hold(gate), .chunked(), .truncate(at: 100)]` waits, answers in chunks and breaks off. Offsets count
/// bytes of the body as it is sent, after compression and ranges; the framing of chunks does not count.
public enum OriginFault: Sendable, Equatable {
    /// Waits before the head, by the server's clock.
    case delay(Duration)
    /// Sends the head, then waits before the body, by the server's clock.
    case delayBody(Duration)
    /// Keeps the whole answer back until the gate opens.
    case hold(Gate)
    /// Sends the head and this many bytes of the body, then keeps the rest back until the gate opens. A gate that
    /// never opens is a server that stalls.
    case holdBody(Gate, at: Int = 0)
    /// Sends the body in pieces of this many bytes, and waits by the server's clock between them.
    case drip(bytes: Int, every: Duration)
    /// Sends the head in pieces of this many bytes, and waits by the server's clock between them (a slow loris).
    case dripHead(bytes: Int, every: Duration)
    /// Closes the connection after this many bytes of the answer as it travels, counted from the first of its head.
    case closeAfter(Int)
    /// Says that the body comes in chunks, and sends bytes that are none.
    case garbageChunks
    /// Announces the whole body, sends only this many bytes of it, and closes the connection. With `chunked` the last
    /// chunk never comes.
    case truncate(at: Int)
    /// Announces the whole body, sends this many bytes of it, and resets the connection (RST), so that the client sees
    /// an error and not an end. Bytes that the client had no room for are lost.
    case reset(at: Int)
    /// Announces this length whatever the body has, sends the body, and closes the connection.
    case wrongLength(Int)
    /// Sends the body in chunks of this many bytes (RFC 9112 7.1), so that its length is not known before its end.
    case chunked(size: Int = 1024)
    /// Announces no length at all: the end of the connection ends the body (RFC 9112 6.3).
    case untilClose
    /// Sends the head as it is, with a length of 0, and no body.
    case emptyBody
    /// Closes the connection without a byte.
    case closeBeforeHead
    /// Closes the connection after half the head.
    case closeInsideHead
    /// Sends bytes that are no HTTP in place of a head, then the body, and closes the connection.
    case garbageHead
    /// Adds this many header fields, each with a value of this many bytes.
    case extraHeaders(count: Int, size: Int)
    /// Takes the request and never says anything; the connection stays open until the client closes it.
    case neverAnswers

    /// Announces 10 GB and sends the body that there is.
    public static let hugeContentLength = OriginFault.wrongLength(10_000_000_000)
}
