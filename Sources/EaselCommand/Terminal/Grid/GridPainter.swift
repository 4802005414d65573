/// What a terminal is sent to show a grid.
enum GridPainter {
    /// Shows all of it at once, in terminals that know how to do so.
    static func atOnce(_ text: String) -> String { "\u{1B}[?2026h\(text)\u{1B}[?2026l" }

    /// Makes the screen empty.
    static func clear(_ mode: GraphicsMode) -> String {
        (mode == .kitty ? KittyGraphics.deletion : "") + "\u{1B}[0m\u{1B}[2J"
    }

    /// A cell in its place, when `top` is the first row in the window.
    static func cell(_ cell: GridCell, at index: Int, top: Int, in layout: GridLayout) -> String {
        let place = layout.place(of: index, top: top)
        // A window too low for one row shows the beginning of it.
        let lines = cell.lines.prefix(max(0, layout.window.rows - 1 - place.line)).enumerated().map { row, line in
            cursor(place.line + row, place.column) + line
        }
        let graphic = cell.graphic.map { cursor(place.line + $0.line, place.column + $0.column) + $0.text } ?? ""
        return lines.joined() + graphic
    }

    /// The last line of the window.
    static func status(_ text: String, in layout: GridLayout) -> String {
        cursor(layout.window.rows - 1, 0) + "\u{1B}[2m" + text.truncated(to: layout.window.columns)
            + "\u{1B}[0m\u{1B}[K"
    }

    /// A row of cells where the cursor is, with a line break at the end, for output that only goes on.
    static func row(_ cells: [GridCell], in layout: GridLayout) -> String {
        let gap = String(repeating: " ", count: GridLayout.gap)
        let lines = (0..<layout.rowHeight).map { line in
            cells.map { $0.lines[line] }.joined(separator: gap).trimmingTrailingSpaces + "\n"
        }
        // Pictures are drawn over the lines, from below: there the terminal has made room for them.
        let graphics = cells.enumerated().compactMap { column, cell in
            cell.graphic.map { graphic in
                let left = column * (layout.cellColumns + GridLayout.gap) + graphic.column
                return "\u{1B}[\(layout.rowHeight - graphic.line)A\r" + (left > 0 ? "\u{1B}[\(left)C" : "")
                    + graphic.text + "\u{1B}8"
            }
        }
        return lines.joined() + (graphics.isEmpty ? "" : "\u{1B}7" + graphics.joined())
    }

    private static func cursor(_ line: Int, _ column: Int) -> String { "\u{1B}[\(line + 1);\(column + 1)H" }
}
