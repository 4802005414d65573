import Foundation

/// One drawing with a panel per series. Both axes are logarithmic.
enum VectorPlot {
    private static let (width, height) = (360.0, 220.0)
    private static let (left, right, top, bottom) = (56.0, 24.0, 40.0, 36.0)

    static func text(_ all: [Growth.Series]) -> String {
        let rows = (all.count + 1) / 2
        let panels = all.enumerated().map { index, series in
            """
            <g transform="translate(\(Double(index % 2) * width) \(Double(index / 2) * height))">
            \(panel(series))
            </g>
            """
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width * 2) \(height * Double(rows))" \
            font-family="sans-serif" font-size="10" fill="#555">
            <rect width="100%" height="100%" fill="#fff"/>
            \(panels.joined(separator: "\n"))
            </svg>

            """
    }

    private static func panel(_ series: Growth.Series) -> String {
        let x = Axis(series.points.map(\.count), from: left, to: width - right)
        // At least two powers of ten, so that noise does not look like growth.
        let y = Axis(series.points.map(\.cost), atLeast: 2, from: height - bottom, to: top)
        let positions = series.points.map { (x.position($0.count), y.position($0.cost)) }
        let line = positions.map { "\(text($0.0)),\(text($0.1))" }.joined(separator: " ")
        let dots = positions.map { "<circle cx=\"\(text($0.0))\" cy=\"\(text($0.1))\" r=\"3\" fill=\"#1a6fb5\"/>" }
        let columns = x.ticks.map { tick in
            let position = text(x.position(tick))
            return """
                <path d="M\(position) \(top)V\(height - bottom)" stroke="#e4e4e4"/>
                <text x="\(position)" y="\(height - bottom + 13)" text-anchor="middle">\(TerminalPlot.label(tick))</text>
                """
        }
        let lines = y.ticks.map { tick in
            let position = text(y.position(tick))
            return """
                <path d="M\(left) \(position)H\(width - right)" stroke="#e4e4e4"/>
                <text x="\(left - 5)" y="\(text(y.position(tick) + 3))" text-anchor="end">\(duration(tick))</text>
                """
        }
        return """
            <text x="\(left)" y="16" font-weight="bold">\(series.title)</text>
            <text x="\(left)" y="30">all of them grow with n^\(number(series.exponent))</text>
            \((columns + lines).joined(separator: "\n"))
            <polyline points="\(line)" fill="none" stroke="#1a6fb5" stroke-width="1.5"/>
            \(dots.joined())
            <text x="\((left + width - right) / 2)" y="\(height - 8)" text-anchor="middle">\(series.items)</text>
            """
    }

    private static func text(_ value: Double) -> String { String(format: "%.1f", value) }

    private static func duration(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1e3: "\(Int(nanoseconds)) ns"
        case ..<1e6: "\(Int(nanoseconds / 1e3)) us"
        case ..<1e9: "\(Int(nanoseconds / 1e6)) ms"
        default: "\(Int(nanoseconds / 1e9)) s"
        }
    }

    /// An axis from one power of ten to another, around some values.
    private struct Axis {
        private let first: Int
        private let last: Int
        private let from: Double
        private let to: Double

        init(_ values: [Double], atLeast: Int = 1, from: Double, to: Double) {
            let exponents = values.map { log10($0) }
            let first = Int((exponents.min() ?? 0).rounded(.down))
            self.first = first
            last = max(Int((exponents.max() ?? 1).rounded(.up)), first + atLeast)
            (self.from, self.to) = (from, to)
        }

        var ticks: [Double] { (first...last).map { pow(10, Double($0)) } }

        func position(_ value: Double) -> Double {
            from + (to - from) * (log10(value) - Double(first)) / Double(last - first)
        }
    }
}
