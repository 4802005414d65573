/// A series in a terminal: a line a point, with a bar.
enum TerminalPlot {
    private static let width = 40

    static func text(_ series: Growth.Series) -> String {
        let most = series.points.map(\.cost).max() ?? 1
        let rows = series.points.map { point in
            let length = max(1, Int((point.cost / most * Double(width)).rounded()))
            return [
                label(point.count) + " " + series.items, cost(point.cost),
                String(repeating: "#", count: length),
            ]
        }
        let exponent = number(series.exponent), allowed = number(series.allowedExponent)
        let verdict = "all of them: n^\(exponent); n log n would be n^\(allowed) here"
        return Table([series.title, "", ""], rows).description + "\n" + verdict
    }

    /// In the unit that people read.
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
