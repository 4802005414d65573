#if OriginServer
public import EaselCore
import Synchronization

extension OriginServer {
    /// The requests received so far, in order.
    public var requests: [OriginRequest] { service.log.requests }

    /// Returns the requests received so far for a path, with any query.
    public func requests(for path: String) -> [OriginRequest] {
        requests.filter { $0.path == path }
    }

    /// Waits until `count` requests have arrived, for `path` or for all paths together.
    ///
    /// - Returns: the requests so far; fewer than `count` only if the task was cancelled.
    @discardableResult
    public func waitForRequests(_ count: Int = 1, for path: String? = nil) async -> [OriginRequest] {
        await wait { requests in requests.count { path == nil || $0.path == path } >= count }
        return requests.filter { path == nil || $0.path == path }
    }

    /// Waits until the client has closed the connection before the end of a response for `path`.
    ///
    /// - Returns: the first such request; `nil` only if the task was cancelled.
    @discardableResult
    public func waitForClose(of path: String) async -> OriginRequest? {
        let isClosed = { @Sendable (request: OriginRequest) in
            request.path == path && request.ending == .closedByClient
        }
        await wait { $0.contains(where: isClosed) }
        return requests.first(where: isClosed)
    }

    /// Waits until `condition` is true for the requests so far. Returns early if the task is cancelled.
    public func wait(until condition: @escaping @Sendable ([OriginRequest]) -> Bool) async {
        await service.log.wait(until: condition)
    }
}

extension OriginServer {
    /// Responds to later requests for `path` with `response`. Appends faults to those of the response.
    public func respond(_ path: String, with response: OriginResponse, faults: [OriginFault] = []) {
        service.routes.withLock { $0.respond(path, with: [response.with(faults: faults)]) }
    }

    /// Responds to later requests for `path` with these responses in order. The last one repeats.
    public func respond(_ path: String, with responses: [OriginResponse]) {
        service.routes.withLock { $0.respond(path, with: responses) }
    }

    /// Responds to later requests for `path` with the result of `handler`.
    public func respond(_ path: String, handler: @escaping @Sendable (OriginRequest) async -> OriginResponse) {
        service.routes.withLock { $0.respond(path, handler: handler) }
    }

    /// Serves the files below `folder` at paths that begin with `prefix`, for later requests.
    public func serve(folder: String, at prefix: String = "/", headers: HTTPHeaders = HTTPHeaders()) {
        service.routes.withLock { $0.serve(folder: folder, at: prefix, headers: headers) }
    }
}
#endif
