public import EaselCore
import Synchronization
public import EaselFoundation

/// A transport without a network that returns scripted responses and records requests.
///
/// ```swift
/// let transport = FakeTransport()
/// transport.respond("http://images.test/a.png", with: .failure(.timedOut(.connect)), .bytes(png))
/// ```
///
/// A URL without a response throws `ImageError.unreachable`.
public final class FakeTransport: HTTPTransport {
    /// One call of `send`.
    public struct Exchange: Sendable {
        /// The end of an exchange.
        public enum Ending: Sendable, Hashable {
            /// The whole body was read.
            case finished
            /// The error of the response was thrown.
            case failed(ImageError)
            /// The reader was cancelled, or released the body before its end.
            case dropped
        }

        /// The request.
        public let request: HTTPRequest
        /// The end; `nil` while the exchange is in-flight.
        public internal(set) var ending: Ending?
    }

    private struct State: Sendable {
        var exchanges: [Exchange] = []
        var isShutDown = false
    }

    private let scripts = Mutex<[String: Script<FakeResponse>]>([:])
    private let monitor = Monitor(State())

    /// Creates a transport without responses.
    public init() {}

    /// Responds to requests for `url` with `responses` in order. The last one repeats.
    public func respond(_ url: String, with responses: FakeResponse...) {
        scripts.withLock { $0[url] = Script(responses) }
    }

    /// All calls so far, in order.
    public var exchanges: [Exchange] { monitor.state.exchanges }

    /// All requests so far, in order.
    public var requests: [HTTPRequest] { exchanges.map(\.request) }

    /// Whether `shutDown()` was called.
    public var isShutDown: Bool { monitor.state.isShutDown }

    /// Waits until `count` requests have arrived. Returns early if the task is cancelled.
    public func waitForRequests(_ count: Int = 1) async { await wait { $0.count >= count } }

    /// Waits until `condition` is true for the calls so far. Returns early if the task is cancelled.
    public func wait(until condition: @escaping @Sendable ([Exchange]) -> Bool) async {
        _ = await monitor.wait { condition($0.exchanges) }
    }

    /// Returns the next response scripted for the URL.
    public func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let number = monitor.update { state -> Int? in
            guard !state.isShutDown else { return nil }
            state.exchanges.append(Exchange(request: request))
            return state.exchanges.count - 1
        }
        guard let number else { throw .invalidated }
        let response =
            scripts.withLock { $0[request.url]?.next() }
            ?? .failure(.unreachable(host: request.url, reason: "The test has no response for it."))
        try await wait(at: response.gate, number)
        if let error = response.failure {
            end(number, as: .failed(error))
            throw error
        }
        return HTTPResponse(
            status: response.status, headers: response.headers, version: "HTTP/1.1", bodyLength: response.bodyLength,
            body: body(response.pieces, number))
    }

    /// Makes later calls of `send` fail with `ImageError.invalidated`.
    public func shutDown() async { monitor.update { $0.isShutDown = true } }

    private func body(_ pieces: [FakeResponse.Piece], _ number: Int) -> HTTPBody {
        let remaining = Monitor(pieces[...])
        return HTTPBody {
            () async throws(ImageError) -> [UInt8]? in
            try await self.wait(at: nil, number)
            while let piece = remaining.update({ $0.popFirst() }) {
                switch piece {
                case .bytes(let data): if !data.isEmpty { return Array(data) }
                case .hold(let gate): try await self.wait(at: gate, number)
                case .failure(let error):
                    self.end(number, as: .failed(error))
                    throw error
                }
            }
            self.end(number, as: .finished)
            return nil
        } cancel: {
            self.end(number, as: .dropped)
        }
    }

    /// Waits at a gate, if there is one, and ends the exchange if the task is cancelled.
    private func wait(at gate: Gate?, _ number: Int) async throws(ImageError) {
        do {
            try await gate?.wait()
            try Task.checkCancellation()
        } catch {
            end(number, as: .dropped)
            throw .cancelled
        }
    }

    /// Records the end of an exchange. Only the first one counts.
    private func end(_ number: Int, as ending: Exchange.Ending) {
        monitor.update { state in
            if state.exchanges[number].ending == nil { state.exchanges[number].ending = ending }
        }
    }
}

/// The response of a `FakeTransport` to a request.
public struct FakeResponse: Sendable {
    /// A part of a body.
    public enum Piece: Sendable {
        /// Delivers these bytes immediately; empty ones are skipped.
        case bytes(Data)
        /// Waits until the gate opens.
        case hold(Gate)
        /// Throws this error and ends the body.
        case failure(ImageError)
    }

    /// The announced length of a body.
    public enum Length: Sendable {
        /// The total size of all pieces.
        case total
        /// No length.
        case unknown
        /// This length, whatever the pieces contain.
        case announced(Int)
    }

    var status = 200
    var headers = HTTPHeaders()
    var pieces: [Piece] = []
    var bodyLength: Int?
    /// The error instead of a head.
    var failure: ImageError?
    var gate: Gate?

    /// Returns a response with a body in pieces.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - body: The pieces of the body, in order.
    ///   - length: The announced length.
    ///   - gate: Delays the head until it opens.
    public static func response(
        status: Int = 200, headers: HTTPHeaders = [:], body: [Piece] = [], length: Length = .total,
        gate: Gate? = nil
    ) -> FakeResponse {
        let bodyLength: Int? =
            switch length {
            case .total:
                body.reduce(0) { sum, piece in if case .bytes(let data) = piece { sum + data.count } else { sum } }
            case .unknown: nil
            case .announced(let count): count
            }
        return FakeResponse(status: status, headers: headers, pieces: body, bodyLength: bodyLength, gate: gate)
    }

    /// Returns a complete body with status 200.
    public static func bytes(_ data: Data, type: String = "application/octet-stream") -> FakeResponse {
        response(headers: ["Content-Type": type], body: [.bytes(data)])
    }

    /// Returns an error without a head.
    ///
    /// - Parameter gate: delays the error until it opens.
    public static func failure(_ error: ImageError, gate: Gate? = nil) -> FakeResponse {
        FakeResponse(failure: error, gate: gate)
    }
}
