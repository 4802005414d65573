public import EaselCore
import Synchronization
public import EaselFoundation

/// A transport without a network: it gives the answers that a test has written down and keeps a list of what was asked.
///
/// ```swift
/// let transport = FakeTransport()
/// transport.respond("http://images.test/a.png", with: .failure(.timedOut(.connect)), .bytes(png))
/// ```
///
/// A URL without an answer is `ImageError.unreachable`.
public final class FakeTransport: HTTPTransport {
    /// One call of `send`.
    public struct Exchange: Sendable {
        /// How an exchange ended.
        public enum Ending: Sendable, Hashable {
            /// The reader has had the whole body.
            case finished
            /// The answer's own error was thrown.
            case failed(ImageError)
            /// The reader was cancelled, or let go of the body before its end.
            case dropped
        }

        /// What was asked.
        public let request: HTTPRequest
        /// How it ended; `nil` while it is under way.
        public internal(set) var ending: Ending?
    }

    private struct State: Sendable {
        var exchanges: [Exchange] = []
        var isShutDown = false
    }

    private let scripts = Mutex<[String: Script<FakeAnswer>]>([:])
    private let monitor = Monitor(State())

    /// A transport without answers.
    public init() {}

    /// Answers requests for `url` from now on: the first with the first of `answers`, and so on; the last stays.
    public func respond(_ url: String, with answers: FakeAnswer...) {
        scripts.withLock { $0[url] = Script(answers) }
    }

    /// The calls so far, in the order in which they came.
    public var exchanges: [Exchange] { monitor.state.exchanges }

    /// The requests so far, in the order in which they came.
    public var requests: [HTTPRequest] { exchanges.map(\.request) }

    /// Whether `shutDown()` was called.
    public var isShutDown: Bool { monitor.state.isShutDown }

    /// Waits until `count` requests have come. Returns early where the task is cancelled.
    public func waitForRequests(_ count: Int = 1) async {
        await wait { $0.count >= count }
    }

    /// Waits until `condition` holds for the calls in the order in which they came. Returns early where the task is
    /// cancelled.
    public func wait(until condition: @escaping @Sendable ([Exchange]) -> Bool) async {
        _ = await monitor.wait { condition($0.exchanges) }
    }

    /// Gives the next answer that was written down for the request's URL.
    public func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        let number = monitor.update { state -> Int? in
            guard !state.isShutDown else { return nil }
            state.exchanges.append(Exchange(request: request))
            return state.exchanges.count - 1
        }
        guard let number else { throw .invalidated }
        let answer =
            scripts.withLock { $0[request.url]?.next() }
            ?? .failure(.unreachable(host: request.url, reason: "The test has no answer for it."))
        try await pass(answer.gate, number)
        switch answer.opening {
        case .failure(let error):
            end(number, as: .failed(error))
            throw error
        case .head(let status, let headers, let bodyLength):
            return HTTPResponse(
                status: status, headers: headers, version: "HTTP/1.1", bodyLength: bodyLength,
                body: body(answer.pieces, number))
        }
    }

    /// Makes later calls of `send` fail with `ImageError.invalidated`.
    public func shutDown() async {
        monitor.update { $0.isShutDown = true }
    }

    private func body(_ pieces: [FakeAnswer.Piece], _ number: Int) -> HTTPBody {
        let reader = Reader(pieces)
        return HTTPBody {
            () async throws(ImageError) -> [UInt8]? in
            try await self.pass(nil, number)
            while let piece = reader.next() {
                switch piece {
                case .bytes(let data): if !data.isEmpty { return Array(data) }
                case .hold(let gate): try await self.pass(gate, number)
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

    /// Waits at a gate, where there is one, and ends the exchange of a task that is cancelled.
    private func pass(_ gate: Gate?, _ number: Int) async throws(ImageError) {
        do {
            try await gate?.wait()
            try Task.checkCancellation()
        } catch {
            end(number, as: .dropped)
            throw .cancelled
        }
    }

    /// The first ending stays.
    private func end(_ number: Int, as ending: Exchange.Ending) {
        monitor.update { state in
            if state.exchanges[number].ending == nil { state.exchanges[number].ending = ending }
        }
    }
}

/// The pieces of one body that have not been read.
private final class Reader: Sendable {
    private let pieces: Mutex<ArraySlice<FakeAnswer.Piece>>

    init(_ pieces: [FakeAnswer.Piece]) {
        self.pieces = Mutex(pieces[...])
    }

    func next() -> FakeAnswer.Piece? { pieces.withLock { $0.popFirst() } }
}

/// What a `FakeTransport` does for one request.
public struct FakeAnswer: Sendable {
    /// One thing that a reader of the body meets.
    public enum Piece: Sendable {
        /// These bytes at once; empty ones are skipped.
        case bytes(Data)
        /// Nothing, until the gate opens.
        case hold(Gate)
        /// This error in place of the rest.
        case failure(ImageError)
    }

    /// What the head says of the body's length.
    public enum Length: Sendable {
        /// The bytes of all pieces.
        case whole
        /// Nothing.
        case unknown
        /// This many bytes, whatever comes.
        case announced(Int)
    }

    /// What comes before the body.
    enum Opening: Sendable {
        case head(status: Int, headers: HTTPHeaders, bodyLength: Int?)
        case failure(ImageError)
    }

    let opening: Opening
    let pieces: [Piece]
    let gate: Gate?

    private init(_ opening: Opening, pieces: [Piece] = [], gate: Gate? = nil) {
        self.opening = opening
        self.pieces = pieces
        self.gate = gate
    }

    /// A head and a body in pieces.
    ///
    /// - Parameters:
    ///   - length: what the head says of the body.
    ///   - gate: keeps the head back until it opens.
    public static func response(
        status: Int = 200, headers: HTTPHeaders = HTTPHeaders(), body: [Piece] = [], length: Length = .whole,
        gate: Gate? = nil
    ) -> FakeAnswer {
        let bodyLength: Int? =
            switch length {
            case .whole:
                body.reduce(0) { sum, piece in if case .bytes(let data) = piece { sum + data.count } else { sum } }
            case .unknown: nil
            case .announced(let count): count
            }
        return FakeAnswer(
            .head(status: status, headers: headers, bodyLength: bodyLength), pieces: body, gate: gate)
    }

    /// A whole body with status 200.
    public static func bytes(_ data: Data, type: String = "application/octet-stream") -> FakeAnswer {
        response(headers: ["Content-Type": type], body: [.bytes(data)])
    }

    /// No head, but an error.
    ///
    /// - Parameter gate: keeps the error back until it opens.
    public static func failure(_ error: ImageError, gate: Gate? = nil) -> FakeAnswer {
        FakeAnswer(.failure(error), gate: gate)
    }
}
