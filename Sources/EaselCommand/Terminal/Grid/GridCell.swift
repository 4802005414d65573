import EaselCore

/// A cell's characters, all lines equally wide, and what is drawn over them.
struct GridCell: Sendable {
    /// What is in a cell.
    enum Content: Sendable {
        case waiting
        case image(EncodedImage)
        /// Why there is no image.
        case failure(String)
    }

    /// Lines of the cell's width, the name in the last.
    let lines: [String]
    /// An escape code for an image, and its first line and column in the cell.
    let graphic: (text: String, line: Int, column: Int)?

    /// A cell of `layout`.
    init(_ content: Content, name: String, in layout: GridLayout) {
        let caption = name.printable.truncated(to: layout.cellColumns).centered(in: layout.cellColumns)
        switch content {
        case .waiting:
            (lines, graphic) = (Self.lines(["···"], in: layout, style: "2") + [caption.styled("2")], nil)
        case .failure(let reason):
            let text = reason.printable.wrapped(to: layout.cellColumns, lines: layout.imageRows)
            (lines, graphic) = (Self.lines(text, in: layout, style: "31") + [caption.styled("2")], nil)
        case .image(let image):
            let taken = layout.characters(of: image.size)
            let top = max(0, layout.imageRows - taken.rows) / 2
            let left = max(0, layout.cellColumns - taken.columns) / 2
            let blank = String(repeating: " ", count: layout.cellColumns)
            var lines = Array(repeating: blank, count: layout.imageRows)
            for (row, line) in image.lines.prefix(layout.imageRows).enumerated() {
                let right = max(0, layout.cellColumns - taken.columns - left)
                lines[top + row] = blank.prefix(left) + line + blank.prefix(right)
            }
            self.lines = lines + [caption]
            graphic = image.graphic.isEmpty ? nil : (image.graphic, top, left)
        }
    }

    /// What an input is called below its image.
    static func name(of input: String) -> String { (try? ImageInput(input))?.name ?? input }

    /// What happened, without what to do about it, and without the name that is below.
    static func reason(_ error: ImageError, of input: String) -> String {
        let text = "\(error)"
        let first = text.firstRange(of: ". ").map { text[..<$0.lowerBound] } ?? text[...]
        return String(first.hasPrefix(input + " ") ? first.dropFirst(input.count + 1) : first)
    }

    /// Text in the middle of an image's place.
    private static func lines(_ text: [String], in layout: GridLayout, style: String) -> [String] {
        var lines = Array(repeating: String(repeating: " ", count: layout.cellColumns), count: layout.imageRows)
        let top = max(0, layout.imageRows - text.count) / 2
        for (row, line) in text.prefix(layout.imageRows).enumerated() {
            lines[top + row] = line.truncated(to: layout.cellColumns).centered(in: layout.cellColumns).styled(style)
        }
        return lines
    }
}

extension String {
    /// In a colour or weight of the terminal's, and then in its usual ones.
    fileprivate func styled(_ style: String) -> String { "\u{1B}[\(style)m\(self)\u{1B}[0m" }
}

/// An image as the terminal is sent it, wherever its place is.
struct EncodedImage: Sendable {
    /// Pixels across and down.
    let size: PixelSize
    /// Lines of half blocks; none for the other modes.
    let lines: [String]
    /// The escape code that draws it at the cursor; empty for half blocks.
    let graphic: String

    /// Draws `pixels`, for which this thread may need a while.
    ///
    /// - Parameter number: kitty terminals replace the image with the same number, from 1.
    init(_ pixels: PixelBuffer, _ mode: GraphicsMode, number: Int?) {
        size = pixels.size
        switch mode {
        case .kitty: (lines, graphic) = ([], KittyGraphics.encode(pixels, replacing: number))
        case .sixel: (lines, graphic) = ([], Sixel.encode(pixels))
        case .blocks: (lines, graphic) = (HalfBlocks.encode(pixels).split(separator: "\n").map(String.init), "")
        case .none: (lines, graphic) = ([], "")
        }
    }
}

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
        // Images are drawn over the lines, from below: there the terminal has made room for them.
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
