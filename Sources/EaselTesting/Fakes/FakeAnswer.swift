public import EaselFoundation
public import EaselCore

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
