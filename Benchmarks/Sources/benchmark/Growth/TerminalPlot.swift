/// A series in a terminal: a line per point, with a bar.
enum TerminalPlot {
    private static let width = 40

    static func text(_ series: Growth.Series) -> String {
        let most = series.points.map(\.cost).max() ?? 1
        let points = series.points.map { (label($0.count), cost($0.cost), $0.cost / most) }
        let widths = (points.map(\.0.count).max() ?? 0, points.map(\.1.count).max() ?? 0)
        let lines = points.map { label, cost, share in
            "  \(label.padded(to: widths.0))  \(cost.padded(to: widths.1))  "
                + String(repeating: "#", count: max(1, Int((share * Double(width)).rounded())))
        }
        let exponent = number(series.exponent), allowed = number(series.allowedExponent)
        return
            (["\(series.title), by \(series.items)"] + lines
            + ["  all of them: n^\(exponent); n log n would be n^\(allowed) here"]).joined(separator: "\n")
    }

    /// Formats a duration in a readable unit.
    private static func cost(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1e3: "\(number(nanoseconds)) ns"
        case ..<1e6: "\(number(nanoseconds / 1e3)) us"
        default: "\(number(nanoseconds / 1e6)) ms"
        }
    }

    static func label(_ count: Double) -> String {
        count < 1 ? "\(count)" : Scale.title(Int(count))
    }
}

extension String {
    /// Pads with leading spaces.
    fileprivate func padded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
