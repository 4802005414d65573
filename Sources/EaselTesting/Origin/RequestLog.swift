import EaselCore

/// Every request that the origin received, and tests that wait for one.
final class RequestLog: Sendable {
    private struct State: Sendable {
        var requests: [OriginRequest] = []
        var isFrozen = false
    }

    private let monitor = Monitor(State())

    var requests: [OriginRequest] { monitor.state.requests }

    func record(
        connection: Int, method: String, target: String, headers: HTTPHeaders, keepsAlive: Bool
    ) -> OriginRequest {
        monitor.update { state in
            let request = OriginRequest(
                number: state.requests.count, connection: connection, method: method, target: target, headers: headers,
                keepsAlive: keepsAlive)
            state.requests.append(request)
            return request
        }
    }

    func addWritten(_ count: Int, to request: OriginRequest) {
        monitor.update { $0.requests[request.number].bytesWritten += count }
    }

    /// The first ending stays.
    func end(_ request: OriginRequest, as ending: OriginRequest.Ending) {
        monitor.update { state in
            guard !state.isFrozen, state.requests[request.number].ending == nil else { return }
            state.requests[request.number].ending = ending
        }
    }

    /// No answer ends from now on: a server that stops would else look like clients that leave.
    func freeze() {
        monitor.update { $0.isFrozen = true }
    }

    func wait(until condition: @escaping @Sendable ([OriginRequest]) -> Bool) async {
        _ = await monitor.wait { condition($0.requests) }
    }
}
