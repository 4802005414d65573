import EaselCore

/// Where the cells of a grid are: all of one size, row by row, each with a line for a name below its image.
struct GridLayout: Sendable, Hashable {
    /// The number of cells.
    let count: Int
    /// The window that they are in.
    let window: TerminalSize
    /// How images are drawn.
    let mode: GraphicsMode
    /// Cells side by side.
    let columns: Int
    /// Characters across a cell.
    let cellColumns: Int
    /// Lines that an image may take.
    let imageRows: Int

    /// Characters between cells.
    static let gap = 2
    /// Characters across a cell, about, where nobody says how many columns there are.
    private static let usualWidth = 24
    private static let leastWidth = 4

    /// A grid of `count` cells.
    ///
    /// - Parameter columns: how many cells are side by side, where they find room; by default as many as are well seen.
    init(count: Int, window: TerminalSize, mode: GraphicsMode, columns wanted: Int? = nil) {
        func columns(of width: Int) -> Int { (window.columns + Self.gap) / (width + Self.gap) }
        let usual = min(columns(of: Self.usualWidth), count)
        let columns = max(1, min(wanted ?? usual, columns(of: Self.leastWidth)))
        let cellColumns = max(1, (window.columns - Self.gap * (columns - 1)) / columns)
        self.count = count
        self.window = window
        self.mode = mode
        self.columns = columns
        self.cellColumns = cellColumns
        // Most images are about four to three.
        let rows = (cellColumns * window.cell.width * 3 / 4 + window.cell.height / 2) / window.cell.height
        let space = max(2, window.rows - 1)
        let page = max(1, space / (rows + 1))
        let isFull = page * columns <= count
        // What is left of the window is shared out, within limits; and one row of cells fits whole in any case.
        imageRows = max(1, min(isFull ? rows * 4 / 3 : rows, space / page - 1))
    }

    /// Lines that a row of cells takes.
    var rowHeight: Int { imageRows + 1 }

    /// Rows of cells.
    var rowCount: Int { (count + columns - 1) / columns }

    /// Rows of cells that are seen at a time, above the line for the status.
    var page: Int { max(1, (window.rows - 1) / rowHeight) }

    /// The last row that may be the first in the window.
    var lastTop: Int { max(0, rowCount - page) }

    /// The pixels that an image may fill.
    var box: PixelSize {
        switch mode {
        case .blocks, .none: return PixelSize(cellColumns, imageRows * 2)
        case .kitty: return PixelSize(cellColumns * window.cell.width, imageRows * window.cell.height)
        case .sixel:
            // Some terminals give an image whole bands of six lines: the last one must not reach into the names.
            let height = imageRows * window.cell.height
            return PixelSize(cellColumns * window.cell.width, max(6, height - height % 6))
        }
    }

    /// The characters and lines that an image of so many pixels takes.
    func characters(of size: PixelSize) -> (columns: Int, rows: Int) {
        switch mode {
        case .blocks, .none: (size.width, (size.height + 1) / 2)
        case .kitty, .sixel:
            (
                (size.width + window.cell.width - 1) / window.cell.width,
                (size.height + window.cell.height - 1) / window.cell.height
            )
        }
    }

    /// The cells in these rows; rows that are not there have none.
    func cells(inRows rows: Range<Int>) -> Range<Int> {
        let range = max(0, rows.lowerBound) * columns..<max(0, rows.upperBound) * columns
        return range.clamped(to: 0..<count)
    }

    /// A cell's first line and column in the window, from 0, when `top` is its first row.
    func place(of index: Int, top: Int) -> (line: Int, column: Int) {
        ((index / columns - top) * rowHeight, index % columns * (cellColumns + Self.gap))
    }
}
