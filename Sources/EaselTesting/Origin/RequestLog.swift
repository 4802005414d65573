public import EaselCore

/// A request as the origin received it, and how far its answer has come.
public struct OriginRequest: Sendable, Equatable {
    /// How an answer ended.
    public enum Ending: Sendable, Equatable {
        /// Everything that was to be sent has been handed to the system, faults included.
        case answered
        /// The client closed the connection while there was more to send.
        case closedByClient
    }

    /// Counted from 0 over all requests of the server, in the order in which they came.
    public let number: Int
    /// Counted from 0: requests that share it came over one connection.
    public let connection: Int
    /// As sent, such as `GET`.
    public let method: String
    /// The target's path as sent, percent-encoded.
    public let path: String
    /// What stood behind the first `?`, percent-encoded; `nil` without one.
    public let query: String?
    /// As sent, order and duplicates kept.
    public let headers: HTTPHeaders
    /// Whether the client wants to use the connection again (RFC 9112 9.3).
    public let keepsAlive: Bool
    /// The bytes of the answer, head included, that the system has taken so far. The client may have them a moment
    /// before they are counted here: a test waits for what it expects (`OriginServer.wait(until:)`).
    public internal(set) var bytesWritten = 0
    /// How the answer ended; `nil` while it is under way. It too may come a moment after the client's last byte.
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
