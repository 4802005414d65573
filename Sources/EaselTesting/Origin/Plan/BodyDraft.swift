import EaselFoundation

/// A body, and where it is interrupted: cut into the steps that send it.
struct BodyDraft {
    typealias Step = ResponsePlan.Step

    var bytes: Data
    var holds: [(offset: Int, gate: Gate)] = []
    var drip: (bytes: Int, interval: Duration)?
    /// Where it breaks off, and how: `close` or `reset`.
    var end: (offset: Int, how: Step)?

    func steps(in framing: ResponseDraft.Framing) -> [Step] {
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
        if let end { return steps + [end.how] }
        if case .chunked = framing { steps.append(.write(Data("0\r\n\r\n".utf8))) }
        return steps
    }

    /// Where the next write ends: at the next hold, drip or chunk, whichever comes first.
    private func boundary(after offset: Int, limit: Int, _ framing: ResponseDraft.Framing) -> Int {
        var count = limit - offset
        for hold in holds where hold.offset > offset { count = min(count, hold.offset - offset) }
        if let drip { count = min(count, drip.bytes - offset % drip.bytes) }
        if case .chunked(let size) = framing { count = min(count, size - offset % size) }
        return offset + count
    }

    private func piece(_ range: Range<Int>, _ framing: ResponseDraft.Framing) -> Data {
        let part = Data(bytes.dropFirst(range.lowerBound).prefix(range.count))
        guard case .chunked = framing else { return part }
        return Data((String(range.count, radix: 16) + "\r\n").utf8) + part + Data("\r\n".utf8)
    }
}
