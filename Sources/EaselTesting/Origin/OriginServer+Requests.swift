#if OriginServer
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
#endif
