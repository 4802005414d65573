import EaselCore

/// The chart of `get --timing`: one bar per load on a common scale, with the milliseconds of its stages.
struct TimingChart: Sendable {
    private struct Row: Sendable {
        var name: String
        var source: String
        var total: Duration
        var stages: [(stage: TimedStage, duration: Duration)]
    }

    private var rows: [Row] = []

    /// The width of bars for a file or a pipe.
    private static let defaultBarWidth = 32

    mutating func add(name: String, source: ImageSource, timeline: LoadTimeline, encode: Duration?) {
        let stages = timeline.stages(encode: encode)
        let sum = stages.reduce(Duration.zero) { $0 + $1.duration }
        rows.append(
            Row(
                name: name.printable, source: source.rawValue + (timeline.isCoalesced ? ", shared" : ""),
                total: max(timeline.total ?? sum, sum), stages: stages))
    }

    /// Returns a line per load and a legend, or nothing without loads.
    ///
    /// - Parameters:
    ///   - columns: The limit that each line is shorter than, so that no terminal wraps it; `nil` for no limit.
    ///   - colors: Whether stages are distinguished by colours instead of letters.
    func lines(columns: Int?, colors: Bool) -> [String] {
        guard !rows.isEmpty else { return [] }
        let width = columns.map { max(0, $0 - 1) }
        let longestName = rows.map(\.name.displayWidth).max() ?? 0
        let name = min(longestName, width.map { min(24, $0 / 4) } ?? 40)
        let totals = rows.map { "\($0.total.millisecondsText) ms" }
        let totalWidth = totals.map(\.count).max() ?? 0
        let bar =
            width.map { max(0, min(Self.defaultBarWidth, ($0 - name - totalWidth - 4) / 3)) } ?? Self.defaultBarWidth
        let scale = rows.map(\.total).max() ?? .zero
        let lines = zip(rows, totals).map { row, total in
            let title = row.name.truncated(to: name).padded(to: name)
            let head = "\(total.padded(to: totalWidth, .right))"
            let room = width.map { $0 - name - bar - totalWidth - 6 }
            let details = Self.details(row, room: room)
            if let width, bar < 4 { return "\(title) \(head)".truncated(to: width) }
            return "\(title)  \(Self.bar(row, width: bar, scale: scale, colors))  \(head)  \(details)"
                .trimmingTrailingSpaces
        }
        return lines + legend(width: width, colors)
    }

    /// Returns the source of the image and its stages in order. The shortest stages are omitted if they do not fit.
    private static func details(_ row: Row, room: Int?) -> String {
        var stages = row.stages.filter { $0.stage != .other }
        while true {
            let parts = stages.map { "\($0.stage.name) \($0.duration.millisecondsText)" }
            let text = "\(row.source)\(parts.isEmpty ? "" : ": ")\(parts.joined(separator: ", "))"
            guard let room, text.count > room else { return text }
            guard let shortest = stages.indices.min(by: { stages[$0].duration < stages[$1].duration }) else {
                return text.truncated(to: room)
            }
            stages.remove(at: shortest)
        }
    }

    /// Returns a bar with each stage in proportion. Stages shorter than a column are not visible.
    private static func bar(_ row: Row, width: Int, scale: Duration, _ colors: Bool) -> String {
        var text = ""
        var end = Duration.zero
        var drawn = 0
        for (stage, duration) in row.stages {
            end += duration
            let next = scale > .zero ? min(width, Int((end / scale * Double(width)).rounded())) : 0
            text += piece(stage, next - drawn, colors)
            drawn = next
        }
        return text + String(repeating: " ", count: width - drawn)
    }

    private static func piece(_ stage: TimedStage, _ count: Int, _ colors: Bool) -> String {
        guard count > 0 else { return "" }
        guard colors else { return String(repeating: stage.letter, count: count) }
        return "\u{1B}[38;5;\(stage.color)m" + String(repeating: "█", count: count) + "\u{1B}[0m"
    }

    private func legend(width: Int?, _ colors: Bool) -> [String] {
        let used = TimedStage.allCases.filter { stage in rows.contains { $0.stages.contains { $0.stage == stage } } }
        var text = ""
        var length = 0
        for stage in used {
            let entry = 2 + stage.name.count + (length > 0 ? 2 : 0)
            if let width, length + entry > width { break }
            text += (length > 0 ? "  " : "") + Self.piece(stage, 1, colors) + " " + stage.name
            length += entry
        }
        return length > 0 ? [text] : []
    }
}
