import EaselCore
import Foundation

/// What happens while an animation plays in the terminal.
enum PlayingEvent: Sendable, Hashable {
    case finished, windowChanged, suspended
}

/// The place in the terminal where an animation plays, which follows the window's size.
@MainActor
final class PlayingStage {
    /// What is played, in a size for the window.
    private(set) var animation: Animation

    private let mode: GraphicsMode
    private let coders: CoderRegistry
    private var window: TerminalSize
    private var stage: TerminalStage
    private var hold: TerminalHold

    /// Makes room for an animation that fits the window.
    init(_ animation: Animation, _ mode: GraphicsMode, coders: CoderRegistry) {
        self.animation = animation
        self.mode = mode
        self.coders = coders
        window = .current(of: StandardStream.output.descriptor)
        stage = TerminalStage(mode, size: animation.size, in: window)
        hold = TerminalHold(stage.texts())
    }

    /// What draws a frame, if it fits.
    func draw(_ pixels: PixelBuffer) -> String? {
        pixels.size.fits(in: mode.canvas(in: window)) ? stage.draw(pixels) : nil
    }

    /// Takes on the window's size, if it has changed.
    func follow() {
        let window = TerminalSize.current(of: StandardStream.output.descriptor)
        guard window != self.window else { return }
        self.window = window
        hold.end()
        begin()
    }

    /// Gives the terminal to the shell until it lets us go on.
    func suspend() {
        hold.end()
        // Not kill(), which may stop another thread first: this one would go on for a while.
        raise(SIGSTOP)
        window = .current(of: StandardStream.output.descriptor)
        begin()
    }

    /// Leaves the last frame where it is.
    func end() { hold.end() }

    private func begin() {
        let options = DecodeOptions(targetSize: .pixels(mode.canvas(in: window), mode: .aspectFit))
        // The file has been read before: only what is no animation any more would fail, and that plays on as it was.
        if let resized = try? Animation(data: animation.data, coders: coders, options: options) { animation = resized }
        stage = TerminalStage(mode, size: animation.size, in: window)
        hold = TerminalHold(stage.texts(clearing: true))
    }
}
