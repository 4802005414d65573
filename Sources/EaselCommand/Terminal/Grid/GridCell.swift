import EaselCore

/// A cell's characters, all lines equally wide, and what is drawn over them.
struct GridCell: Sendable {
    /// What is in a cell.
    enum Content: Sendable {
        case waiting
        case picture(EncodedPicture)
        /// Why there is no picture.
        case failure(String)
    }

    /// Lines of the cell's width, the name in the last.
    let lines: [String]
    /// An escape code for a picture, and its first line and column in the cell.
    let graphic: (text: String, line: Int, column: Int)?

    /// A cell of `layout`.
    init(_ content: Content, name: String, in layout: GridLayout) {
        let caption = name.printable.truncated(to: layout.cellColumns).centered(in: layout.cellColumns)
        switch content {
        case .waiting:
            (lines, graphic) = (Self.lines(["···"], in: layout, style: "2") + [caption.styled("2")], nil)
        case .failure(let reason):
            let text = reason.printable.wrapped(to: layout.cellColumns, lines: layout.pictureRows)
            (lines, graphic) = (Self.lines(text, in: layout, style: "31") + [caption.styled("2")], nil)
        case .picture(let picture):
            let taken = layout.characters(of: picture.size)
            let top = max(0, layout.pictureRows - taken.rows) / 2
            let left = max(0, layout.cellColumns - taken.columns) / 2
            let blank = String(repeating: " ", count: layout.cellColumns)
            var lines = Array(repeating: blank, count: layout.pictureRows)
            for (row, line) in picture.lines.prefix(layout.pictureRows).enumerated() {
                let right = max(0, layout.cellColumns - taken.columns - left)
                lines[top + row] = blank.prefix(left) + line + blank.prefix(right)
            }
            self.lines = lines + [caption]
            graphic = picture.graphic.isEmpty ? nil : (picture.graphic, top, left)
        }
    }

    /// What an input is called below its picture.
    static func name(of input: String) -> String { (try? ImageInput(input))?.name ?? input }

    /// What happened, without what to do about it, and without the name that is below.
    static func reason(_ error: ImageError, of input: String) -> String {
        let text = "\(error)"
        let first = text.firstRange(of: ". ").map { text[..<$0.lowerBound] } ?? text[...]
        return String(first.hasPrefix(input + " ") ? first.dropFirst(input.count + 1) : first)
    }

    /// Text in the middle of a picture's place.
    private static func lines(_ text: [String], in layout: GridLayout, style: String) -> [String] {
        var lines = Array(repeating: String(repeating: " ", count: layout.cellColumns), count: layout.pictureRows)
        let top = max(0, layout.pictureRows - text.count) / 2
        for (row, line) in text.prefix(layout.pictureRows).enumerated() {
            lines[top + row] = line.truncated(to: layout.cellColumns).centered(in: layout.cellColumns).styled(style)
        }
        return lines
    }
}

extension String {
    /// In a colour or weight of the terminal's, and then in its usual ones.
    fileprivate func styled(_ style: String) -> String { "\u{1B}[\(style)m\(self)\u{1B}[0m" }
}
