import ArgumentParser
import EaselCore
import Foundation

/// The options for playing animations.
struct PlayingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How often to play an animation; 0 is forever. Default: as in the file.", valueName: "n")
    )
    var loop: Int?

    @Option(help: ArgumentHelp("Maximum number of frames per second. Other frames are skipped.", valueName: "n"))
    var fps = 30

    func validate() throws {
        if let loop, loop < 0 { throw ValidationError("--loop must be 0 or more.") }
        if !(1...240).contains(fps) { throw ValidationError("--fps must be from 1 to 240.") }
    }
}

extension Session {
    /// Plays an animation in place until its loops are over or the task is cancelled. Restores the terminal, with the
    /// last frame left on the screen.
    func play(_ animation: Animation, _ mode: GraphicsMode, _ options: PlayingOptions) async {
        console.clearProgress()
        let stage = PlayingStage(animation, mode, coders: coders)
        // A slow terminal delays the player, which then skips frames.
        let ticker = AnimationTicker(TaskAnimationClock(), interval: .seconds(1) / options.fps)
        let player = AnimationPlayer(animation, ticker: ticker) { [console] frame in
            // A frame decoded for a larger window does not fit.
            if let text = stage.draw(frame.pixels) { console.drawing(text) }
        }
        player.loopLimit = options.loop
        let mailbox = Mailbox<PlayingEvent>()
        player.onFinish = { mailbox.post([.finished]) }
        let signals = [
            Signals.shared.listen(to: SIGWINCH) { mailbox.post([.windowChanged]) },
            Signals.shared.listen(to: SIGTSTP) { mailbox.post([.suspended]) },
        ]
        player.play()
        playing: while true {
            let events = await mailbox.next()
            if events.isEmpty || events.contains(.finished) { break playing }
            if events.contains(.suspended) { stage.suspend() } else { stage.follow() }
            player.replace(stage.animation)
            // Redraws the current frame in its new size without waiting for the next one.
            player.seek(toFrame: player.currentFrame)
        }
        player.stop()
        for signal in signals { Signals.shared.end(signal) }
        stage.end()
    }
}

/// An event while an animation plays in the terminal.
enum PlayingEvent: Sendable, Hashable {
    case finished, windowChanged, suspended
}

/// The area of the terminal where an animation plays. It follows the window's size.
@MainActor
final class PlayingStage {
    /// The animation, decoded for the size of the window.
    private(set) var animation: Animation

    private let mode: GraphicsMode
    private let coders: CoderRegistry
    private var window: TerminalSize
    private var stage: TerminalStage
    private var hold: TerminalHold

    /// Creates an area for an animation that fits the window.
    init(_ animation: Animation, _ mode: GraphicsMode, coders: CoderRegistry) {
        self.animation = animation
        self.mode = mode
        self.coders = coders
        window = .current(of: StandardStream.output.descriptor)
        stage = TerminalStage(mode, size: animation.size, in: window)
        hold = TerminalHold(stage.texts())
    }

    /// Returns the text that draws a frame, or `nil` if the frame does not fit.
    func draw(_ pixels: PixelBuffer) -> String? {
        pixels.size.fits(in: mode.canvas(in: window)) ? stage.draw(pixels) : nil
    }

    /// Adapts to the window's size, if it changed.
    func follow() {
        let window = TerminalSize.current(of: StandardStream.output.descriptor)
        guard window != self.window else { return }
        self.window = window
        hold.end()
        begin()
    }

    /// Returns the terminal to the shell until the process continues.
    func suspend() {
        hold.end()
        // kill() may stop another thread first, while this one continues for a moment.
        raise(SIGSTOP)
        window = .current(of: StandardStream.output.descriptor)
        begin()
    }

    /// Ends playing and leaves the last frame on the screen.
    func end() { hold.end() }

    private func begin() {
        let options = DecodeOptions(targetSize: .pixels(mode.canvas(in: window), mode: .aspectFit))
        // The file was decoded before, so an error is unlikely. On error, the animation keeps its size.
        if let resized = try? Animation(data: animation.data, coders: coders, options: options) { animation = resized }
        stage = TerminalStage(mode, size: animation.size, in: window)
        hold = TerminalHold(stage.texts(clearing: true))
    }
}
