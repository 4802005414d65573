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
