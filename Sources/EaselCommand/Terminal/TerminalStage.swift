import EaselCore

/// A part of the window in which pictures are drawn one over the other.
struct TerminalStage: Sendable {
    /// How they are drawn.
    let mode: GraphicsMode
    /// Lines that a picture takes.
    let rows: Int

    /// A stage for pictures of `size` pixels.
    init(_ mode: GraphicsMode, size: PixelSize, in window: TerminalSize) {
        self.mode = mode
        let rowHeight = mode == .blocks ? 2 : window.cell.height
        rows = max(1, (size.height + rowHeight - 1) / rowHeight)
    }

    /// Makes room, so that nothing scrolls while frames are drawn, and remembers the place. Hides the cursor.
    var opening: String {
        Self.hiddenCursor + String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7"
    }

    /// Draws a picture in place of the one before, which terminals that know how to do so show at once.
    func draw(_ pixels: PixelBuffer) -> String {
        let picture =
            switch mode {
            case .kitty: KittyGraphics.encode(pixels, replacing: 1)
            case .sixel: Sixel.encode(pixels)
            case .blocks: HalfBlocks.encode(pixels)
            case .none: ""
            }
        return "\u{1B}[?2026h\u{1B}8" + picture + "\u{1B}[?2026l"
    }

    /// Leaves the last picture where it is, and goes on below it.
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
