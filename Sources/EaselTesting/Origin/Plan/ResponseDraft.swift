import EaselFoundation
import EaselCore

/// An answer while its faults are applied to it, one after the other, in any order.
struct ResponseDraft {
    typealias Step = ResponsePlan.Step

    enum Head: Equatable { case whole, half, missing, garbage, never }
    enum Framing: Equatable { case length, chunked(size: Int), untilClose }

    private let status: Int
    private let isHeadOnly: Bool
    private var headers: HTTPHeaders
    private var length: Int?
    private var head = Head.whole
    private var framing = Framing.length
    private var beforeHead: [Step] = []
    private var beforeBody: [Step] = []
    private var body: BodyDraft
    private var keepsAlive: Bool
    private var headDrip: (bytes: Int, interval: Duration)?
    private var sendsGarbageChunks = false
    /// After how many bytes, head included, the connection is closed.
    private var cut: Int?

    init(_ answer: Answer, keepsAlive: Bool) {
        status = answer.status
        isHeadOnly = answer.isHeadOnly
        headers = answer.headers
        length = answer.length
        body = BodyDraft(bytes: answer.body)
        self.keepsAlive = keepsAlive
        if !keepsAlive { headers["Connection"] = "close" }
    }

    mutating func apply(_ fault: OriginFault) {
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
        case .neverAnswers: head = .never
        }
    }

    var steps: [Step] { cut.map { Self.cut(wholeSteps, after: $0) } ?? wholeSteps }

    private var wholeSteps: [Step] {
        switch head {
        case .never: beforeHead + [.stall]
        case .missing: beforeHead + [.close]
        case .half: beforeHead + [.write(headBytes.prefix(headBytes.count / 2)), .close]
        case .garbage: beforeHead + [.write(Self.garbage)] + beforeBody + body.steps(in: .untilClose) + ending
        case .whole: beforeHead + headSteps + beforeBody + bodySteps + ending
        }
    }

    private var headSteps: [Step] {
        guard let headDrip else { return [.write(headBytes)] }
        var steps: [Step] = []
        var rest = headBytes
        while !rest.isEmpty {
            if !steps.isEmpty { steps.append(.wait(headDrip.interval)) }
            steps.append(.write(Data(rest.prefix(headDrip.bytes))))
            rest = Data(rest.dropFirst(headDrip.bytes))
        }
        return steps
    }

    /// The steps as far as the first `count` bytes that they write, and then the end.
    private static func cut(_ steps: [Step], after count: Int) -> [Step] {
        var rest = count
        var kept: [Step] = []
        for step in steps {
            guard case .write(let bytes) = step else {
                kept.append(step)
                continue
            }
            if rest > 0 { kept.append(.write(Data(bytes.prefix(rest)))) }
            if bytes.count >= rest { return kept + [.close] }
            rest -= bytes.count
        }
        return kept + [.close]
    }

    /// A head without a body is not followed by the framing of one either.
    private var bodySteps: [Step] {
        if sendsGarbageChunks, !isHeadOnly { return [.write(Self.garbage + body.bytes)] }
        return body.steps(in: isHeadOnly ? .length : framing)
    }

    private var ending: [Step] {
        if body.end != nil || keepsAlive { return [] }
        return [.close]
    }

    /// The reason phrase is left empty: clients ignore it (RFC 9112 4).
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

    /// Not even the first line is one, and there are bytes that no text has.
    private static let garbage = Data([0x00, 0xFF, 0xFE]) + Data("this is not HTTP\r\n\r\n".utf8)
}
