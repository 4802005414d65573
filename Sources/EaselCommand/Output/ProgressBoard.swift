/// Something that happened to one of several loads.
enum ProgressEvent: Sendable, Hashable {
    /// A load began. `name` is what a person calls it.
    case started(Int, name: String)
    /// Bytes came, of so many, where the server has said how many.
    case advanced(Int, received: Int, expected: Int?)
    /// A load ended well.
    case finished(Int)
    /// A load ended without an image.
    case failed(Int)
}

/// The bars of several loads at once. It takes events and says what the lines look like.
struct ProgressBoard: Sendable {
    private struct Transfer: Sendable {
        var name: String
        var received = 0
        var expected: Int?
        var hasBytes = false
    }

    private var transfers: [Int: Transfer] = [:]
    private var started = 0
    private var finished = 0

    /// The most bars that are shown; the rest is counted in the last line.
    private static let mostBars = 8

    /// Takes note of an event.
    mutating func handle(_ event: ProgressEvent) {
        switch event {
        case .started(let id, let name):
            transfers[id] = Transfer(name: name.printable)
            started += 1
        case .advanced(let id, let received, let expected):
            transfers[id]?.received = received
            transfers[id]?.expected = expected
            transfers[id]?.hasBytes = true
        case .finished(let id), .failed(let id):
            if transfers.removeValue(forKey: id) != nil { finished += 1 }
        }
    }

    /// A line a load that receives bytes, in the order in which they began, and one for all where there are several.
    /// Each is shorter than `columns`, so that no terminal wraps it.
    func lines(columns: Int, rows: Int) -> [String] {
        let active = transfers.filter { $0.value.hasBytes }.sorted { $0.key < $1.key }.map(\.value)
        let shown = active.prefix(max(1, min(Self.mostBars, rows - 2)))
        var lines = shown.map { Self.line($0, width: columns - 1) }
        if started > 1, !transfers.isEmpty {
            let hidden = active.count - shown.count
            let more = hidden > 0 ? ", \(hidden) more are loading" : ""
            lines.append("\(finished) of \(started) done\(more)".truncated(to: columns - 1))
        }
        return lines
    }

    private static func line(_ transfer: Transfer, width: Int) -> String {
        let numbers =
            if let expected = transfer.expected, expected > 0 {
                "\(min(100, transfer.received * 100 / expected)) %".padded(to: 5, .right)
                    + "  \(ByteCount.text(transfer.received)) of \(ByteCount.text(expected))"
            } else {
                "       \(ByteCount.text(transfer.received))"
            }
        // A name, a bar and the numbers; where the window is too narrow, first the bar goes and then the name.
        let name = max(0, min(32, width / 3))
        let bar = min(30, width - name - 2 - numbers.displayWidth - 2)
        let title = transfer.name.truncated(to: name).padded(to: name)
        if bar < 4 { return "\(title) \(numbers)".truncated(to: width) }
        return "\(title)  \(Self.bar(transfer, width: bar))  \(numbers)".truncated(to: width)
    }

    private static func bar(_ transfer: Transfer, width: Int) -> String {
        guard let expected = transfer.expected, expected > 0 else {
            return unknownBar(received: transfer.received, width: width)
        }
        let done = min(width, transfer.received * width / expected)
        return String(repeating: "━", count: done) + String(repeating: "─", count: width - done)
    }

    /// A piece that wanders to and fro as bytes come, a step every 16 KiB: it stands still when nothing comes.
    private static func unknownBar(received: Int, width: Int) -> String {
        let piece = max(1, width / 5)
        let way = max(1, width - piece)
        let step = received / 16_384 % (2 * way)
        let start = min(way, step <= way ? step : 2 * way - step)
        return String(repeating: "─", count: start) + String(repeating: "━", count: piece)
            + String(repeating: "─", count: width - piece - start)
    }
}

/// Progress for a file or a pipe: whole lines, few of them. It takes events and the time, and says what to write.
struct ProgressLog: Sendable {
    private struct Transfer: Sendable {
        var name: String
        var received = 0
        var lastLine: ContinuousClock.Instant
    }

    private var transfers: [Int: Transfer] = [:]

    /// A load that takes long tells of itself this often.
    private static let interval = Duration.seconds(1)

    /// The line for this event, if it deserves one: what is slow now and then, and what was received at its end.
    mutating func line(for event: ProgressEvent, at time: ContinuousClock.Instant) -> String? {
        switch event {
        case .started(let id, let name):
            transfers[id] = Transfer(name: name.printable, lastLine: time)
            return nil
        case .advanced(let id, let received, let expected):
            guard var transfer = transfers[id] else { return nil }
            defer { transfers[id] = transfer }
            transfer.received = received
            guard time - transfer.lastLine >= Self.interval else { return nil }
            transfer.lastLine = time
            let total = expected.map { " of \(ByteCount.text($0))" } ?? ""
            return "\(transfer.name): \(ByteCount.text(received))\(total)"
        case .finished(let id):
            guard let transfer = transfers.removeValue(forKey: id), transfer.received > 0 else { return nil }
            return "\(transfer.name): \(ByteCount.text(transfer.received)) received"
        case .failed(let id):
            transfers[id] = nil
            return nil
        }
    }
}
