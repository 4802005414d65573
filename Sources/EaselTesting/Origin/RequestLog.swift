public import EaselCore

/// A request received by the origin, and the progress of its response.
public struct OriginRequest: Sendable, Equatable {
    /// The end of a response.
    public enum Ending: Sendable, Equatable {
        /// The whole response has been written to the socket, faults included.
        case completed
        /// The client closed the connection before the end.
        case closedByClient
    }

    /// The index of the request, from 0 over all requests of the server.
    public let number: Int
    /// The index of the connection, from 0.
    public let connection: Int
    /// The method as sent, such as `GET`.
    public let method: String
    /// The path of the target as sent, percent-encoded.
    public let path: String
    /// The part after the first `?`, percent-encoded; `nil` without one.
    public let query: String?
    /// The headers as sent, with order and duplicates.
    public let headers: HTTPHeaders
    /// Whether the client requests to reuse the connection (RFC 9112 9.3).
    public let keepsAlive: Bool
    /// The bytes of the response, head included, written to the socket so far. The client can receive them before they
    /// are counted, so tests must wait (`OriginServer.wait(until:)`).
    public internal(set) var bytesWritten = 0
    /// The end of the response; `nil` while it is in progress. It can be recorded after the client's last byte.
    public internal(set) var ending: Ending?

    init(number: Int, connection: Int, method: String, target: String, headers: HTTPHeaders, keepsAlive: Bool = true) {
        self.number = number
        self.connection = connection
        self.method = method
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map(String.init) ?? target
        query = parts.count > 1 ? String(parts[1]) : nil
        self.headers = headers
        self.keepsAlive = keepsAlive
    }
}

/// The requests received by the origin, with support for tests that wait for one.
final class RequestLog: Sendable {
    private struct State: Sendable {
        var requests: [OriginRequest] = []
        var isFrozen = false
    }

    private let monitor = Monitor(State())

    var requests: [OriginRequest] { monitor.state.requests }

    /// - Parameter makeRequest: creates the request with its number.
    func record(_ makeRequest: @Sendable (_ number: Int) -> OriginRequest) -> OriginRequest {
        monitor.update { state in
            let request = makeRequest(state.requests.count)
            state.requests.append(request)
            return request
        }
    }

    func addWritten(_ count: Int, to request: OriginRequest) {
        monitor.update { $0.requests[request.number].bytesWritten += count }
    }

    /// Records the end of a response. Only the first one counts.
    func end(_ request: OriginRequest, as ending: OriginRequest.Ending) {
        monitor.update { state in
            guard !state.isFrozen, state.requests[request.number].ending == nil else { return }
            state.requests[request.number].ending = ending
        }
    }

    /// Stops recording ends, so that stopping the server is not recorded as clients that disconnect.
    func freeze() { monitor.update { $0.isFrozen = true } }

    func wait(until condition: @escaping @Sendable ([OriginRequest]) -> Bool) async {
        _ = await monitor.wait { condition($0.requests) }
    }
}
