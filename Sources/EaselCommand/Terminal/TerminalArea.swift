import EaselCore
import Foundation

/// An area of the terminal in which images replace each other.
struct TerminalArea: Sendable {
    let mode: GraphicsMode
    /// The height of the images in lines.
    let rows: Int

    /// Creates an area for images of `size` pixels.
    init(_ mode: GraphicsMode, size: PixelSize, in window: TerminalSize) {
        self.mode = mode
        let rowHeight = mode == .blocks ? 2 : window.cell.height
        rows = max(1, (size.height + rowHeight - 1) / rowHeight)
    }

    /// The text that reserves the lines, so that frames do not scroll, saves the position and hides the cursor.
    var opening: String { "\u{1B}[?25l" + String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7" }

    /// Returns the text that replaces the image. Supporting terminals show it in one update.
    func draw(_ pixels: PixelBuffer) -> String {
        GridPainter.synchronizedUpdate("\u{1B}8" + mode.encode(pixels, replacing: 1))
    }

    /// The text that leaves the last image on the screen, moves below it and shows the cursor.
    var closing: String { "\u{1B}8\u{1B}[\(rows)B\r\u{1B}[0m\u{1B}[?25h" }

    /// Draws the area, after clearing the window if `clearing`: terminals move lines when the window changes.
    @MainActor
    func begin(clearing: Bool = false) -> TerminalMode {
        let clear = (mode == .kitty ? KittyGraphics.deletion : "") + "\u{1B}[H\u{1B}[2J"
        return TerminalMode(opening: (clearing ? clear : "") + opening, closing: closing)
    }
}

/// A mode of the terminal that ends with `end()`, when a signal ends the process, and when it crashes.
@MainActor
final class TerminalMode {
    private let closing: ExitActions.Token

    /// Writes `opening`, and `closing` at the end. With `rawInput`, that terminal has unbuffered input without echo
    /// meanwhile.
    init(opening: String, closing: String, rawInput: Int32? = nil) {
        let settings = rawInput.flatMap { TerminalSettings(of: $0) }
        self.closing = ExitActions.shared.add {
            StandardStream.output.write(closing)
            settings?.restore()
        }
        // A crash can interrupt an image or an update.
        CrashRestoration.arm("\u{1B}\\\u{1B}[?2026l" + closing, settings)
        settings?.makeRaw()
        StandardStream.output.write(opening)
    }

    /// Restores the terminal. Idempotent.
    func end() {
        ExitActions.shared.run(closing)
        CrashRestoration.disarm()
    }
}

/// The saved settings of a terminal.
struct TerminalSettings: Sendable {
    private let descriptor: Int32
    private let settings: termios

    /// Saves the current settings, or returns `nil` if the descriptor is not a terminal.
    init?(of descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        self.settings = settings
    }

    /// Restores the settings. Pending input is discarded, because the shell would interpret it as commands.
    func restore() {
        var settings = settings
        _ = tcsetattr(descriptor, TCSAFLUSH, &settings)
    }

    /// Restores the settings in a signal handler: without waiting, and with async-signal-safe functions only.
    func restoreInCrash() {
        var settings = settings
        _ = tcsetattr(descriptor, TCSANOW, &settings)
        _ = tcflush(descriptor, TCIFLUSH)
    }

    /// Disables echo and line buffering until `restore()`.
    ///
    /// - Returns: Whether it succeeded.
    @discardableResult
    func makeRaw() -> Bool {
        var raw = settings
        // Signals stay enabled, so that ctrl-C works.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        return tcsetattr(descriptor, TCSANOW, &raw) == 0
    }

    /// Calls `body` in raw mode and restores the terminal, also when the process is interrupted. Returns `nil` without
    /// calling `body` on failure.
    func withRawMode<Result>(_ body: () -> Result) -> Result? {
        let restoration = ExitActions.shared.add { restore() }
        defer { ExitActions.shared.run(restoration) }
        return makeRaw() ? body() : nil
    }
}

/// The size of the terminal window.
struct TerminalSize: Sendable, Hashable {
    var columns: Int
    var rows: Int
    var cell: PixelSize

    /// The common default since the VT100.
    static let fallback = TerminalSize(columns: 80, rows: 24)

    /// The default size of a character, for a terminal that does not report pixels.
    static let defaultCell = PixelSize(10, 20)

    init(columns: Int, rows: Int, cell: PixelSize = defaultCell) {
        self.columns = columns
        self.rows = rows
        self.cell = cell
    }

    /// Creates a size as the terminal reports it, with 0 for unknown values.
    init(reported columns: Int, _ rows: Int, pixelWidth: Int, pixelHeight: Int) {
        guard columns > 0, rows > 0 else {
            self = .fallback
            return
        }
        let cell = PixelSize(pixelWidth / columns, pixelHeight / rows)
        self.init(columns: columns, rows: rows, cell: cell.width > 0 && cell.height > 0 ? cell : Self.defaultCell)
    }

    /// Returns the window size of a terminal, or the fallback for another descriptor.
    static func current(of descriptor: Int32) -> TerminalSize {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return .fallback }
        return TerminalSize(
            reported: Int(window.ws_col), Int(window.ws_row), pixelWidth: Int(window.ws_xpixel),
            pixelHeight: Int(window.ws_ypixel))
    }
}
