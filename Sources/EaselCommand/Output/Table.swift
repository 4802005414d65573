/// Rows of text in columns that line up.
struct Table: Sendable {
    /// Where a column's text stands.
    enum Alignment: Sendable {
        /// For words.
        case left
        /// For numbers.
        case right
    }

    /// The title of each column and where its text stands.
    let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    /// A table without rows.
    init(_ columns: [(title: String, alignment: Alignment)]) {
        self.columns = columns
    }

    /// Adds a row, a text a column.
    mutating func add(_ row: [String]) {
        rows.append(row.map(\.printable))
    }

    /// The titles, a rule, and the rows; no spaces at the ends of lines.
    var lines: [String] {
        let titles = columns.map(\.title)
        let widths = columns.indices.map { column in
            ([titles] + rows).map { $0.indices.contains(column) ? $0[column].displayWidth : 0 }.max() ?? 0
        }
        let rule = widths.map { String(repeating: "─", count: $0) }
        return ([titles, rule] + rows).map { row in
            let cells = zip(row, zip(widths, columns)).map { text, column in
                text.padded(to: column.0, column.1.alignment)
            }
            return cells.joined(separator: "  ").trimmingTrailingSpaces
        }
    }
}
