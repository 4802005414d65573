/// An event of one of several concurrent loads.
enum ProgressEvent: Sendable, Hashable {
    /// A load started. `name` is its name for display.
    case started(Int, name: String)
    /// Bytes arrived. `expected` is the total, if the server sent it.
    case advanced(Int, received: Int, expected: Int?)
    case finished(Int)
    case failed(Int)
}

/// The progress bars of concurrent loads.
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

    /// The maximum number of bars. The last line counts the other loads.
    private static let maximumBarCount = 8

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

    /// Returns a line per load that receives bytes, in starting order, and a summary if there are several. Each is
    /// shorter than `columns`, so that no terminal wraps it.
    func lines(columns: Int, rows: Int) -> [String] {
        let active = transfers.filter { $0.value.hasBytes }.sorted { $0.key < $1.key }.map(\.value)
        let shown = active.prefix(max(1, min(Self.maximumBarCount, rows - 2)))
        var lines = shown.map { Self.line($0, width: columns - 1) }
        if started > 1, !transfers.isEmpty {
            let hidden = active.count - shown.count
            let more = hidden > 0 ? ", \(hidden) more loading" : ""
            lines.append("\(finished) of \(started) done\(more)".truncated(to: columns - 1))
        }
        return lines
    }

    private static func line(_ transfer: Transfer, width: Int) -> String {
        let numbers =
            if let expected = transfer.expected, expected > 0 {
                "\(min(100, transfer.received * 100 / expected)) %".padded(to: 5, .right)
                    + "  \(ByteText.text(transfer.received)) of \(ByteText.text(expected))"
            } else {
                "       \(ByteText.text(transfer.received))"
            }
        // A name, a bar and the numbers. In a narrow window the bar is omitted first, then the name.
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

    /// Returns a bar with a segment that moves back and forth, one step per 16 KiB received.
    private static func unknownBar(received: Int, width: Int) -> String {
        let piece = max(1, width / 5)
        let travel = max(1, width - piece)
        let step = received / 16_384 % (2 * travel)
        let start = min(travel, step <= travel ? step : 2 * travel - step)
        return String(repeating: "─", count: start) + String(repeating: "━", count: piece)
            + String(repeating: "─", count: width - piece - start)
    }
}

/// Progress for a file or a pipe: few, whole lines.
struct ProgressLog: Sendable {
    private struct Transfer: Sendable {
        var name: String
        var received = 0
        var lastLine: ContinuousClock.Instant
    }

    private var transfers: [Int: Transfer] = [:]

    /// The minimum time between the lines of a load.
    private static let interval = Duration.seconds(1)

    /// Returns the line for an event, or `nil`. Slow loads get a line per interval, and each load one at its end.
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
            let total = expected.map { " of \(ByteText.text($0))" } ?? ""
            return "\(transfer.name): \(ByteText.text(received))\(total)"
        case .finished(let id), .failed(let id):
            guard let transfer = transfers.removeValue(forKey: id), case .finished = event, transfer.received > 0
            else { return nil }
            return "\(transfer.name): \(ByteText.text(transfer.received)) received"
        }
    }
}
