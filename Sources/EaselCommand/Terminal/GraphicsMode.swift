import EaselCore

/// How pictures are drawn in a terminal.
enum GraphicsMode: String, Sendable, CaseIterable {
    /// The kitty graphics protocol: every pixel, with alpha.
    case kitty
    /// Sixel: every pixel, 256 colours.
    case sixel
    /// Two pixels a character, as half blocks in 24-bit colour.
    case blocks
    /// Not at all: a line of text a picture.
    case none

    /// The best that this terminal can do.
    ///
    /// `NO_COLOR` and a dumb terminal ask for plain text; a picture out of half blocks is nothing but colour.
    static func best(
        isTerminal: Bool, environment: [String: String], capabilities: @autoclosure () -> TerminalCapabilities
    ) -> GraphicsMode {
        guard isTerminal, environment["TERM"] != "dumb", environment["NO_COLOR", default: ""].isEmpty else {
            return .none
        }
        let capabilities = capabilities()
        if capabilities.kitty { return .kitty }
        return capabilities.sixel ? .sixel : .blocks
    }

    /// The pixels that fill the window, with two lines left for the picture's name and the prompt.
    func canvas(in window: TerminalSize) -> PixelSize {
        let rows = max(1, window.rows - 2)
        return switch self {
        case .kitty, .sixel: PixelSize(window.columns * window.cell.width, rows * window.cell.height)
        case .blocks, .none: PixelSize(window.columns, rows * 2)
        }
    }

    /// What a terminal has to be sent to show `pixels`, with a line break at the end. Empty for `none`.
    func draw(_ pixels: PixelBuffer) -> String {
        switch self {
        case .kitty: KittyGraphics.encode(pixels) + "\n"
        case .sixel: Sixel.encode(pixels) + "\n"
        case .blocks: HalfBlocks.encode(pixels)
        case .none: ""
        }
    }
}
