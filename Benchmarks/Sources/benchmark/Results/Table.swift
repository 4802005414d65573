import Foundation

/// A text table with aligned columns.
struct Table: CustomStringConvertible {
    private var lines: [[String]]

    init(_ titles: [String], _ rows: [[String]]) {
        lines = [titles] + rows
    }

    var description: String {
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let cells = zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            return String(cells.joined(separator: "  ").trimmingSuffix { $0 == " " })
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate func trimmingSuffix(while isGone: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, isGone(last) { rest.removeLast() }
        return rest
    }
}

extension [Result] {
    /// A line per contestant: median, minimum, maximum, ratio (to the best peer, and to each), peak memory, and
    /// allocations per operation.
    var table: String {
        Table(
            ["work", "by", "median", "min", "max", "unit", "ratio", "memory", "allocations"], flatMap(Self.rows)
        ).description
    }

    private static func rows(_ result: Result) -> [[String]] {
        let shown = Shown(result)
        func row(_ work: String, _ name: String, _ figures: Figures, _ ratio: Double?) -> [String] {
            [
                work, name, shown.text(figures.median), shown.text(figures.min), shown.text(figures.max), shown.unit,
                ratio.map { number($0) + " x" } ?? "-", figures.memory.map { number(Double($0) / 1e6) + " MB" } ?? "-",
                figures.allocations.map(number) ?? "-",
            ]
        }
        return [row(result.work, "Easel", result.ours, result.ratio)]
            + result.peers.map { row("", $0.name, $0.figures, result.ratio(to: $0.figures.median)) }
    }

    /// A readable unit for Easel's figure.
    private struct Shown {
        let unit: String
        private let divisor: Double

        init(_ result: Result) {
            let steps: [(String, Double)] =
                switch result.unit {
                case .nanoseconds: [("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9)]
                case .bytes: [("bytes", 1), ("KB", 1e3), ("MB", 1e6)]
                default: [(result.unit.rawValue, 1)]
                }
            (unit, divisor) = steps.last { result.ours.median >= $0.1 * 2 } ?? steps[0]
        }

        func text(_ value: Double) -> String { number(value / divisor) }
    }
}

/// Formats a number with its significant digits.
func number(_ value: Double) -> String {
    String(format: abs(value) < 100 ? "%.2f" : "%.0f", value)
}
