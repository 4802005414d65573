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
