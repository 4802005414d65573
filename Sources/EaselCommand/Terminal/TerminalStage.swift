import EaselCore
import Foundation

/// An area of the terminal in which images replace each other.
struct TerminalStage: Sendable {
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
    var opening: String {
        Self.hiddenCursor + String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7"
    }

    /// Returns the text that replaces the image. Supporting terminals show it in one update.
    func draw(_ pixels: PixelBuffer) -> String {
        let image =
            switch mode {
            case .kitty: KittyGraphics.encode(pixels, replacing: 1)
            case .sixel: Sixel.encode(pixels)
            case .blocks: HalfBlocks.encode(pixels)
            case .none: ""
            }
        return "\u{1B}[?2026h\u{1B}8" + image + "\u{1B}[?2026l"
    }

    /// The text that leaves the last image on the screen and moves below it.
    var closing: String { "\u{1B}8\u{1B}[\(rows)B\r" + Self.shownCursor }

    private static let hiddenCursor = "\u{1B}[?25l"
    private static let shownCursor = "\u{1B}[0m\u{1B}[?25h"
    /// The text that resets the terminal in any state of the area.
    private static let rescue = "\u{1B}\\\u{1B}[?2026l" + shownCursor

    /// Returns the texts that begin and end the area.
    ///
    /// - Parameter clearing: Whether to clear the window first. Terminals move lines when the window changes.
    func texts(clearing: Bool = false) -> TerminalHold.Texts {
        let emptying = (mode == .kitty ? KittyGraphics.deletion : "") + "\u{1B}[H\u{1B}[2J"
        return .init(opening: (clearing ? emptying : "") + opening, closing: closing, rescue: Self.rescue)
    }
}

/// A change to the terminal that is undone by `end()`, when a signal ends the process, and when it crashes.
@MainActor
final class TerminalHold {
    /// The texts that are written to standard output.
    struct Texts: Sendable {
        /// Begins the change.
        var opening: String
        /// Undoes the change.
        var closing: String
        /// Undoes the change at any point of interrupted output.
        var rescue: String
    }

    private let closing: ExitActions.Token

    /// Begins the change.
    ///
    /// - Parameter rawInput: A terminal to switch to unbuffered input without echo meanwhile.
    init(_ texts: Texts, rawInput: Int32? = nil) {
        let settings = rawInput.flatMap { TerminalSettings(of: $0) }
        closing = ExitActions.shared.add {
            StandardStream.output.write(texts.closing)
            settings?.restore()
        }
        CrashRestoration.arm(texts.rescue, settings)
        settings?.makeRaw()
        StandardStream.output.write(texts.opening)
    }

    /// Undoes the change. Idempotent.
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
}

/// Terminal input without echo and line buffering.
enum RawMode {
    /// Calls `body` in raw mode and restores the terminal, also when the process is interrupted.
    ///
    /// - Returns: `nil`, without calling `body`, if `descriptor` is not a terminal.
    static func with<Result>(_ descriptor: Int32, _ body: () -> Result) -> Result? {
        guard let settings = TerminalSettings(of: descriptor) else { return nil }
        let restoring = ExitActions.shared.add { settings.restore() }
        guard settings.makeRaw() else {
            ExitActions.shared.remove(restoring)
            return nil
        }
        defer { ExitActions.shared.run(restoring) }
        return body()
    }
}

/// The size of the terminal window.
struct TerminalSize: Sendable, Hashable {
    /// The width in characters.
    var columns: Int
    /// The height in lines.
    var rows: Int
    /// The size of a character in pixels.
    var cell: PixelSize

    /// The common default since the VT100.
    static let fallback = TerminalSize(columns: 80, rows: 24)

    /// The default size of a character, for a terminal that does not report pixels.
    static let usualCell = PixelSize(10, 20)

    init(columns: Int, rows: Int, cell: PixelSize = usualCell) {
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
        self.init(columns: columns, rows: rows, cell: cell.width > 0 && cell.height > 0 ? cell : Self.usualCell)
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
