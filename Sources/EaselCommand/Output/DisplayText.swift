extension String {
    /// The text without terminal control characters. Names come from URLs and servers.
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

    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// Returns the text cut to `width` columns, with an ellipsis if it was longer.
    func truncated(to width: Int) -> String {
        if displayWidth <= width { return self }
        var result = ""
        var used = 0
        for character in self {
            guard used + character.displayWidth <= width - 1 else { break }
            used += character.displayWidth
            result.append(character)
        }
        return width > 0 ? result + "…" : ""
    }

    var trimmingTrailingSpaces: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }

    /// Returns the text centred in `width` columns.
    func centered(in width: Int) -> String {
        padded(to: (width + displayWidth) / 2, .right).padded(to: width)
    }

    /// Returns the text in lines of at most `width` columns, broken between words. An ellipsis marks text beyond
    /// `limit` lines.
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
        let remainder = lines[(limit - 1)...].joined(separator: " ")
        return lines[..<(limit - 1)].map { $0.truncated(to: width) } + [remainder.truncated(to: width)]
    }

    /// Returns the text padded with spaces to `width` columns.
    func padded(to width: Int, _ side: Table.Alignment = .left) -> String {
        let spaces = String(repeating: " ", count: max(0, width - displayWidth))
        return side == .left ? self + spaces : spaces + self
    }
}

extension Character {
    /// 2 for East Asian wide characters and emoji, otherwise 1.
    fileprivate var displayWidth: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        let wide: [ClosedRange<UInt32>] = [
            0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
        ]
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
}

/// A table with aligned columns.
struct Table: Sendable {
    enum Alignment: Sendable { case left, right }

    let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

    mutating func add(_ row: [String]) { rows.append(row.map(\.printable)) }

    /// The titles, a rule and the rows, without trailing spaces.
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

/// A formatter of numbers of bytes: `999 B`, `1.2 kB`, `25 MB`.
enum ByteText {
    /// Returns the count in decimal units, with at least two digits if it has a unit.
    static func text(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        // Computes in tenths, so that no digit depends on floating point.
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
    /// Returns the number with its noun: `1 file`, `2 files`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
