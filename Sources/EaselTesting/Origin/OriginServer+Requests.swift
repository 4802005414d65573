#if OriginServer
public import EaselCore
import Synchronization

extension OriginServer {
    /// The requests received so far, in the order in which they came.
    public var requests: [OriginRequest] { service.log.requests }

    /// The requests for one path received so far, whatever their query.
    public func requests(for path: String) -> [OriginRequest] {
        requests.filter { $0.path == path }
    }

    /// Waits until `count` requests have come: for `path`, or for all paths together.
    ///
    /// - Returns: those that have come. There are fewer than `count` only where the task was cancelled.
    @discardableResult
    public func waitForRequests(_ count: Int = 1, for path: String? = nil) async -> [OriginRequest] {
        await wait { requests in requests.count { path == nil || $0.path == path } >= count }
        return requests.filter { path == nil || $0.path == path }
    }

    /// Waits until the client has closed the connection of an answer for `path` before its end.
    ///
    /// - Returns: the first such request; `nil` only where the task was cancelled.
    @discardableResult
    public func waitForClose(of path: String) async -> OriginRequest? {
        let isClosed = { @Sendable (request: OriginRequest) in
            request.path == path && request.ending == .closedByClient
        }
        await wait { $0.contains(where: isClosed) }
        return requests.first(where: isClosed)
    }

    /// Waits until `condition` holds for the requests in the order in which they came. Returns early where the task is
    /// cancelled.
    public func wait(until condition: @escaping @Sendable ([OriginRequest]) -> Bool) async {
        await service.log.wait(until: condition)
    }
}

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
