import EaselCore
import Foundation

/// The window that pictures and progress bars are drawn in.
struct TerminalSize: Sendable, Hashable {
    /// Characters across.
    var columns: Int
    /// Lines.
    var rows: Int
    /// The size of a character in pixels.
    var cell: PixelSize

    /// What every terminal has had since the VT100.
    static let fallback = TerminalSize(columns: 80, rows: 24)

    /// The usual proportions of a character, for a terminal that does not tell its pixels.
    static let usualCell = PixelSize(10, 20)

    /// A window of `columns` by `rows` characters.
    init(columns: Int, rows: Int, cell: PixelSize = usualCell) {
        self.columns = columns
        self.rows = rows
        self.cell = cell
    }

    /// A window as the terminal reports it, where any number may be 0 for "unknown".
    init(reported columns: Int, _ rows: Int, pixelWidth: Int, pixelHeight: Int) {
        guard columns > 0, rows > 0 else {
            self = .fallback
            return
        }
        let cell = PixelSize(pixelWidth / columns, pixelHeight / rows)
        self.init(columns: columns, rows: rows, cell: cell.width > 0 && cell.height > 0 ? cell : Self.usualCell)
    }

    /// The window behind an open descriptor, or the fallback where that is no terminal.
    static func current(of descriptor: Int32) -> TerminalSize {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return .fallback }
        return TerminalSize(
            reported: Int(window.ws_col), Int(window.ws_row), pixelWidth: Int(window.ws_xpixel),
            pixelHeight: Int(window.ws_ypixel))
    }
}
