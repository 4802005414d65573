#if OriginServer
public import EaselCore
import Synchronization

extension OriginServer {
    /// Answers requests for `path` from now on with `response` and, added to its own, these faults.
    public func respond(_ path: String, with response: OriginResponse, faults: [OriginFault] = []) {
        service.routes.withLock { $0.respond(path, with: [response.with(faults: faults)]) }
    }

    /// Answers the next requests for `path` with these responses, one after the other; the last stays.
    public func respond(_ path: String, with responses: [OriginResponse]) {
        service.routes.withLock { $0.respond(path, with: responses) }
    }

    /// Answers requests for `path` from now on with what `handler` makes of them.
    public func respond(_ path: String, handler: @escaping @Sendable (OriginRequest) async -> OriginResponse) {
        service.routes.withLock { $0.respond(path, handler: handler) }
    }

    /// Serves the files below `folder` from now on under paths that begin with `prefix`.
    public func serve(folder: String, at prefix: String = "/", headers: HTTPHeaders = HTTPHeaders()) {
        service.routes.withLock { $0.serve(folder: folder, at: prefix, headers: headers) }
    }
}
#endif
