import EaselFoundation
import EaselCore

/// The steps of a connection for one request, after faults in any order. A pure value, so that every fault is testable
/// without a socket.
struct ResponsePlan {
    enum Step: Equatable {
        case wait(Duration)
        case hold(Gate)
        case write(Data)
        /// Waits until the client closes the connection.
        case stall
        case close
        case reset
    }

    enum Head: Equatable { case complete, half, missing, garbage, never }
    enum Framing: Equatable { case length, chunked(size: Int), untilClose }

    private let status: Int
    private let isHeadOnly: Bool
    private var headers: HTTPHeaders
    private var length: Int?
    private var head = Head.complete
    private var framing = Framing.length
    private var beforeHead: [Step] = []
    private var beforeBody: [Step] = []
    private var body: BodyPlan
    private var keepsAlive: Bool
    private var headDrip: (bytes: Int, interval: Duration)?
    private var sendsGarbageChunks = false
    /// The number of bytes, head included, after which the connection closes.
    private var cut: Int?

    /// - Parameter keepsAlive: whether the client requests to reuse the connection.
    init(_ response: ServerResponse, faults: [OriginFault] = [], keepsAlive: Bool = true) {
        status = response.status
        isHeadOnly = response.isHeadOnly
        headers = response.headers
        length = response.length
        body = BodyPlan(bytes: response.body)
        self.keepsAlive = keepsAlive
        if !keepsAlive { headers["Connection"] = "close" }
        for fault in faults { apply(fault) }
    }

    private mutating func apply(_ fault: OriginFault) {
        switch fault {
        case .delay(let duration): beforeHead.append(.wait(duration))
        case .delayBody(let duration): beforeBody.append(.wait(duration))
        case .hold(let gate): beforeHead.append(.hold(gate))
        case .holdBody(let gate, let offset): body.holds.append((offset, gate))
        case .drip(let bytes, let interval): body.drip = (max(1, bytes), interval)
        case .dripHead(let bytes, let interval): headDrip = (max(1, bytes), interval)
        case .closeAfter(let count): cut = max(0, count)
        case .garbageChunks:
            framing = .chunked(size: 1024)
            sendsGarbageChunks = true
            keepsAlive = false
        case .truncate(let offset): body.end = (offset, .close)
        case .reset(let offset): body.end = (offset, .reset)
        case .wrongLength(let announced):
            length = announced
            keepsAlive = false
        case .chunked(let size): framing = .chunked(size: max(1, size))
        case .untilClose:
            framing = .untilClose
            keepsAlive = false
        case .emptyBody:
            body.bytes = Data()
            length = 0
        case .closeBeforeHead: head = .missing
        case .closeInsideHead: head = .half
        case .garbageHead:
            head = .garbage
            keepsAlive = false
        case .extraHeaders(let count, let size):
            for number in 0..<max(0, count) {
                headers.append(name: "X-Extra-\(number)", value: String(repeating: "x", count: max(0, size)))
            }
        case .noResponse: head = .never
        }
    }

    /// The steps, in order. Without a final `close`, `reset` or `stall`, the connection waits for its next request.
    var steps: [Step] { cut.map { Self.cut(completeSteps, after: $0) } ?? completeSteps }

    private var completeSteps: [Step] {
        switch head {
        case .never: beforeHead + [.stall]
        case .missing: beforeHead + [.close]
        case .half: beforeHead + [.write(headBytes.prefix(headBytes.count / 2)), .close]
        case .garbage: beforeHead + [.write(Self.garbage)] + beforeBody + body.steps(in: .untilClose) + ending
        case .complete: beforeHead + headSteps + beforeBody + bodySteps + ending
        }
    }

    private var headSteps: [Step] {
        guard let (count, interval) = headDrip else { return [.write(headBytes)] }
        let writes = stride(from: 0, to: headBytes.count, by: count).map { start in
            Step.write(Data(headBytes.dropFirst(start).prefix(count)))
        }
        return Array(writes.map { [$0] }.joined(separator: [.wait(interval)]))
    }

    /// Returns the steps that write the first `count` bytes, followed by the end.
    private static func cut(_ steps: [Step], after count: Int) -> [Step] {
        var remainingCount = count
        var result: [Step] = []
        for step in steps {
            guard case .write(let bytes) = step else {
                result.append(step)
                continue
            }
            if remainingCount > 0 { result.append(.write(Data(bytes.prefix(remainingCount)))) }
            if bytes.count >= remainingCount { return result + [.close] }
            remainingCount -= bytes.count
        }
        return result + [.close]
    }

    /// The steps of the body. A response without a body has no framing either.
    private var bodySteps: [Step] {
        if sendsGarbageChunks, !isHeadOnly { return [.write(Self.garbage + body.bytes)] }
        return body.steps(in: isHeadOnly ? .length : framing)
    }

    private var ending: [Step] { body.end != nil || keepsAlive ? [] : [.close] }

    /// The bytes of the head. The reason phrase is empty, since clients ignore it (RFC 9112 4).
    private var headBytes: Data {
        var text = "HTTP/1.1 \(status) \r\n"
        for field in headers.fields + [framingField].compactMap(\.self) {
            text += "\(field.name): \(field.value)\r\n"
        }
        return Data((text + "\r\n").utf8)
    }

    private var framingField: HTTPHeaders.Field? {
        switch framing {
        case .untilClose: nil
        case .chunked where length != nil: HTTPHeaders.Field(name: "Transfer-Encoding", value: "chunked")
        case .length, .chunked: length.map { HTTPHeaders.Field(name: "Content-Length", value: String($0)) }
        }
    }

    /// Bytes without a valid status line, some of which are invalid in any text.
    private static let garbage = Data([0x00, 0xFF, 0xFE]) + Data("this is not HTTP\r\n\r\n".utf8)
}

/// A body with its interruptions, split into the steps that send it.
struct BodyPlan {
    typealias Step = ResponsePlan.Step

    var bytes: Data
    var holds: [(offset: Int, gate: Gate)] = []
    var drip: (bytes: Int, interval: Duration)?
    /// The offset of the end, and its kind: `close` or `reset`.
    var end: (offset: Int, kind: Step)?

    func steps(in framing: ResponsePlan.Framing) -> [Step] {
        let limit = min(max(0, end?.offset ?? bytes.count), bytes.count)
        var steps: [Step] = []
        var offset = 0
        while true {
            steps += holds.filter { min(max(0, $0.offset), limit) == offset }.map { .hold($0.gate) }
            guard offset < limit else { break }
            if let drip, offset > 0, offset % drip.bytes == 0 { steps.append(.wait(drip.interval)) }
            let next = boundary(after: offset, limit: limit, framing)
            steps.append(.write(piece(offset..<next, framing)))
            offset = next
        }
        if let end { return steps + [end.kind] }
        if case .chunked = framing { steps.append(.write(Data("0\r\n\r\n".utf8))) }
        return steps
    }

    /// Returns the end of the next write: the nearest hold, drip or chunk.
    private func boundary(after offset: Int, limit: Int, _ framing: ResponsePlan.Framing) -> Int {
        var count = limit - offset
        for hold in holds where hold.offset > offset { count = min(count, hold.offset - offset) }
        if let drip { count = min(count, drip.bytes - offset % drip.bytes) }
        if case .chunked(let size) = framing { count = min(count, size - offset % size) }
        return offset + count
    }

    private func piece(_ range: Range<Int>, _ framing: ResponsePlan.Framing) -> Data {
        let part = Data(bytes.dropFirst(range.lowerBound).prefix(range.count))
        guard case .chunked = framing else { return part }
        return Data((String(range.count, radix: 16) + "\r\n").utf8) + part + Data("\r\n".utf8)
    }
}
