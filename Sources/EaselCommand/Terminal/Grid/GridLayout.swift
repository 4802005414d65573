import EaselCore

/// The positions of the cells of a grid. All cells have the same size and a line for the name below the image.
struct GridLayout: Sendable, Hashable {
    let count: Int
    let window: TerminalSize
    let mode: GraphicsMode
    let columns: Int
    /// The width of a cell in characters.
    let cellColumns: Int
    /// The height of an image in lines.
    let imageRows: Int

    /// The number of characters between cells.
    static let gap = 2
    /// The approximate default width of a cell in characters.
    private static let defaultWidth = 24
    private static let minimumWidth = 4

    /// Creates the layout of `count` cells.
    ///
    /// - Parameter columns: The number of columns, if they fit. By default it depends on the window's width.
    init(count: Int, window: TerminalSize, mode: GraphicsMode, columns requested: Int? = nil) {
        func columns(of width: Int) -> Int { (window.columns + Self.gap) / (width + Self.gap) }
        let preferred = min(columns(of: Self.defaultWidth), count)
        let columns = max(1, min(requested ?? preferred, columns(of: Self.minimumWidth)))
        let cellColumns = max(1, (window.columns - Self.gap * (columns - 1)) / columns)
        self.count = count
        self.window = window
        self.mode = mode
        self.columns = columns
        self.cellColumns = cellColumns
        // A common aspect ratio of images is 4:3.
        let rows = (cellColumns * window.cell.width * 3 / 4 + window.cell.height / 2) / window.cell.height
        let space = max(2, window.rows - 1)
        let page = max(1, space / (rows + 1))
        let isFull = page * columns <= count
        // The remaining height is distributed within limits. At least one row of cells fits completely.
        imageRows = max(1, min(isFull ? rows * 4 / 3 : rows, space / page - 1))
    }

    /// The height of a row of cells in lines.
    var rowHeight: Int { imageRows + 1 }

    var rowCount: Int { (count + columns - 1) / columns }

    /// The number of rows that are visible above the status line.
    var page: Int { max(1, (window.rows - 1) / rowHeight) }

    /// The last row that can be the first visible one.
    var lastTop: Int { max(0, rowCount - page) }

    /// The maximum size of an image in pixels.
    var box: PixelSize {
        switch mode {
        case .blocks, .none: return PixelSize(cellColumns, imageRows * 2)
        case .kitty: return PixelSize(cellColumns * window.cell.width, imageRows * window.cell.height)
        case .sixel:
            // Some terminals round images up to bands of six lines, which must not cover the names.
            let height = imageRows * window.cell.height
            return PixelSize(cellColumns * window.cell.width, max(6, height - height % 6))
        }
    }

    /// Returns the columns and lines that an image of this size covers.
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

    /// Returns the cells in these rows. Missing rows have no cells.
    func cells(inRows rows: Range<Int>) -> Range<Int> {
        let range = max(0, rows.lowerBound) * columns..<max(0, rows.upperBound) * columns
        return range.clamped(to: 0..<count)
    }

    /// Returns a cell's first line and column in the window, from 0, if `top` is the first visible row.
    func position(of index: Int, top: Int) -> (line: Int, column: Int) {
        ((index / columns - top) * rowHeight, index % columns * (cellColumns + Self.gap))
    }
}
