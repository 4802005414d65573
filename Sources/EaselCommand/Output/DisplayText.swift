extension String {
    /// The same text without anything that a terminal would obey: names come from URLs and servers.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }

    /// The columns that it takes in a terminal.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// Its beginning, in at most `width` columns, with an ellipsis where something is missing.
    func truncated(to width: Int) -> String {
        if displayWidth <= width { return self }
        var kept = ""
        var used = 0
        for character in self {
            guard used + character.displayWidth <= width - 1 else { break }
            used += character.displayWidth
            kept.append(character)
        }
        return width > 0 ? kept + "…" : ""
    }

    /// Without the spaces at its end.
    var trimmingTrailingSpaces: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }

    /// Between spaces, to `width` columns in all.
    func centered(in width: Int) -> String {
        padded(to: (width + displayWidth) / 2, .right).padded(to: width)
    }

    /// In lines of at most `width` columns, broken between words; an ellipsis where there would be more than `limit`.
    func wrapped(to width: Int, lines limit: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.displayWidth + 1 + String(word).displayWidth <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        guard lines.count > limit, limit > 0 else { return lines.map { $0.truncated(to: width) } }
        let rest = lines[(limit - 1)...].joined(separator: " ")
        return lines[..<(limit - 1)].map { $0.truncated(to: width) } + [rest.truncated(to: width)]
    }

    /// Filled up with spaces to `width` columns.
    func padded(to width: Int, _ side: Table.Alignment = .left) -> String {
        let spaces = String(repeating: " ", count: max(0, width - displayWidth))
        return side == .left ? self + spaces : spaces + self
    }
}

extension Character {
    /// 2 for the wide characters of East Asia and for emoji, else 1.
    fileprivate var displayWidth: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        let wide: [ClosedRange<UInt32>] = [
            0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
        ]
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
}

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

/// Numbers of bytes as a person reads them: `999 B`, `1.2 kB`, `25 MB`.
enum ByteCount {
    /// Decimal units, two digits at least where there is a unit.
    static func text(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        // Counted in tenths, so that no digit depends on floating point.
        var tenths = count / 100
        var units = ["kB", "MB", "GB"][...]
        while tenths >= 10_000, units.count > 1 {
            tenths /= 1000
            units = units.dropFirst()
        }
        let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
        return "\(number) \(units.first ?? "GB")"
    }
}

extension Int {
    /// The number and its noun: `1 file`, `2 files`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
