import EaselCore

/// The characters of a cell, with lines of equal width, and the image drawn over them.
struct GridCell: Sendable {
    enum Content: Sendable {
        case waiting
        case image(EncodedImage)
        case failure(String)
    }

    /// The lines of the cell. The last one is the name.
    let lines: [String]
    /// The escape code of an image, and its first line and column in the cell.
    let graphic: (text: String, line: Int, column: Int)?

    init(_ content: Content, name: String, in layout: GridLayout) {
        let caption = name.printable.truncated(to: layout.cellColumns).centered(in: layout.cellColumns)
        switch content {
        case .waiting:
            (lines, graphic) = (Self.lines(["···"], in: layout, style: "2") + [caption.styled("2")], nil)
        case .failure(let reason):
            let text = reason.printable.wrapped(to: layout.cellColumns, lines: layout.imageRows)
            (lines, graphic) = (Self.lines(text, in: layout, style: "31") + [caption.styled("2")], nil)
        case .image(let image):
            let size = layout.characters(of: image.size)
            let top = max(0, layout.imageRows - size.rows) / 2
            let left = max(0, layout.cellColumns - size.columns) / 2
            let blank = String(repeating: " ", count: layout.cellColumns)
            var lines = Array(repeating: blank, count: layout.imageRows)
            for (row, line) in image.lines.prefix(layout.imageRows).enumerated() {
                let right = max(0, layout.cellColumns - size.columns - left)
                lines[top + row] = blank.prefix(left) + line + blank.prefix(right)
            }
            self.lines = lines + [caption]
            graphic = image.graphic.isEmpty ? nil : (image.graphic, top, left)
        }
    }

    /// Returns the name of an input below its image.
    static func name(of input: String) -> String { (try? ImageInput(input))?.name ?? input }

    /// Returns text centred in the image's area.
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
    /// Returns the text with a style, followed by a reset.
    fileprivate func styled(_ style: String) -> String { "\u{1B}[\(style)m\(self)\u{1B}[0m" }
}

/// An image encoded for the terminal, independent of its position.
struct EncodedImage: Sendable {
    let size: PixelSize
    /// The lines of half blocks. Empty for other modes.
    let lines: [String]
    /// The escape code that draws the image at the cursor. Empty for half blocks.
    let graphic: String

    /// Encodes `pixels`. This can take long.
    ///
    /// - Parameter number: The image number, from 1. A kitty terminal replaces the image with the same number.
    init(_ pixels: PixelBuffer, _ mode: GraphicsMode, number: Int?) {
        size = pixels.size
        let text = mode.encode(pixels, replacing: number)
        lines = mode == .blocks ? text.split(separator: "\n").map(String.init) : []
        graphic = mode == .blocks ? "" : text
    }
}

/// Escape codes and text that draw a grid.
enum GridPainter {
    /// Returns text that supporting terminals show in one update.
    static func synchronizedUpdate(_ text: String) -> String { "\u{1B}[?2026h\(text)\u{1B}[?2026l" }

    static func clear(_ mode: GraphicsMode) -> String {
        (mode == .kitty ? KittyGraphics.deletion : "") + "\u{1B}[0m\u{1B}[2J"
    }

    /// Returns the text that draws a cell at its position, if `top` is the first visible row.
    static func cell(_ cell: GridCell, at index: Int, top: Int, in layout: GridLayout) -> String {
        let position = layout.position(of: index, top: top)
        // In a very low window, only the first lines of a row are visible.
        let lines = cell.lines.prefix(max(0, layout.window.rows - 1 - position.line)).enumerated().map { row, line in
            cursor(position.line + row, position.column) + line
        }
        let graphic = cell.graphic.map { cursor(position.line + $0.line, position.column + $0.column) + $0.text } ?? ""
        return lines.joined() + graphic
    }

    /// Returns the text that draws the last line of the window.
    static func status(_ text: String, in layout: GridLayout) -> String {
        cursor(layout.window.rows - 1, 0) + "\u{1B}[2m" + text.truncated(to: layout.window.columns)
            + "\u{1B}[0m\u{1B}[K"
    }

    /// Returns a row of cells at the cursor, with a line break, for output without scrolling.
    static func row(_ cells: [GridCell], in layout: GridLayout) -> String {
        let gap = String(repeating: " ", count: GridLayout.gap)
        let lines = (0..<layout.rowHeight).map { line in
            cells.map { $0.lines[line] }.joined(separator: gap).trimmingTrailingSpaces + "\n"
        }
        // Images are drawn over the lines from below, after the terminal has scrolled.
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
