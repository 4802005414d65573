import EaselCore
import Foundation

/// A part of the window in which images are drawn one over the other.
struct TerminalStage: Sendable {
    /// How they are drawn.
    let mode: GraphicsMode
    /// Lines that an image takes.
    let rows: Int

    /// A stage for images of `size` pixels.
    init(_ mode: GraphicsMode, size: PixelSize, in window: TerminalSize) {
        self.mode = mode
        let rowHeight = mode == .blocks ? 2 : window.cell.height
        rows = max(1, (size.height + rowHeight - 1) / rowHeight)
    }

    /// Makes room, so that nothing scrolls while frames are drawn, and remembers the place. Hides the cursor.
    var opening: String {
        Self.hiddenCursor + String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7"
    }

    /// Draws an image in place of the one before, which terminals that know how to do so show at once.
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

    /// Leaves the last image where it is, and goes on below it.
    var closing: String { "\u{1B}8\u{1B}[\(rows)B\r" + Self.shownCursor }

    private static let hiddenCursor = "\u{1B}[?25l"
    private static let shownCursor = "\u{1B}[0m\u{1B}[?25h"
    /// What brings the terminal back from anything that a stage has begun, wherever it was.
    private static let rescue = "\u{1B}\\\u{1B}[?2026l" + shownCursor

    /// What begins and ends it.
    ///
    /// - Parameter clearing: whether the window has changed, where terminals move lines about: then the stage begins in an
    ///   empty one.
    func texts(clearing: Bool = false) -> TerminalHold.Texts {
        let emptying = (mode == .kitty ? KittyGraphics.deletion : "") + "\u{1B}[H\u{1B}[2J"
        return .init(opening: (clearing ? emptying : "") + opening, closing: closing, rescue: Self.rescue)
    }
}

/// A change to the terminal that is taken back on every way out: by `end()`, when the process ends by a signal, and when it
/// crashes.
@MainActor
final class TerminalHold {
    /// What is written to standard output.
    struct Texts: Sendable {
        /// What begins the change.
        var opening: String
        /// What takes it back.
        var closing: String
        /// What takes it back from wherever the output broke off.
        var rescue: String
    }

    private let closing: ExitActions.Token

    /// Begins the change.
    ///
    /// - Parameter rawInput: a terminal that meanwhile gives each key as it is typed, unseen.
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

    /// Takes it back, once.
    func end() {
        ExitActions.shared.run(closing)
        CrashRestoration.disarm()
    }
}

/// A terminal's settings, to be put back.
struct TerminalSettings: Sendable {
    private let descriptor: Int32
    private let settings: termios

    /// Those that the terminal has now; `nil` where the descriptor is no terminal.
    init?(of descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        self.settings = settings
    }

    /// Puts them back. What came too late for us is thrown away: a shell would take it for typing.
    func restore() {
        var settings = settings
        _ = tcsetattr(descriptor, TCSAFLUSH, &settings)
    }

    /// The same where nothing may wait for the terminal, and only what is safe in a signal handler may be called.
    func restoreInCrash() {
        var settings = settings
        _ = tcsetattr(descriptor, TCSANOW, &settings)
        _ = tcflush(descriptor, TCIFLUSH)
    }

    /// Lets input come without echo, and without waiting for a line, until `restore()`.
    ///
    /// - Returns: whether it does.
    @discardableResult
    func makeRaw() -> Bool {
        var raw = settings
        // Signals stay on, so that ctrl-C works.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        return tcsetattr(descriptor, TCSANOW, &raw) == 0
    }
}

/// Terminal input without echo and without waiting for a line.
enum RawMode {
    /// Calls `body` in raw mode and restores the terminal, also when the process is interrupted meanwhile.
    ///
    /// - Returns: `nil`, without calling `body`, where `descriptor` is no terminal.
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

/// The window that images and progress bars are drawn in.
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
