import ArgumentParser
import EaselCore
import Foundation

/// How animations are played, where the user knows better.
struct PlayingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Play an animation so often; 0 is for ever. As its file says, if not given.", valueName: "n")
    )
    var loop: Int?

    @Option(help: ArgumentHelp("Draw at most so many frames a second; what is between is left out.", valueName: "n"))
    var fps = 30

    func validate() throws {
        if let loop, loop < 0 { throw ValidationError("--loop has to be 0 or more.") }
        if !(1...240).contains(fps) { throw ValidationError("--fps has to be from 1 to 240.") }
    }
}

extension Session {
    /// Plays an animation in place, until its loops are over or the task is cancelled. The terminal is then as it was, with the
    /// last frame in it.
    func play(_ animation: Animation, _ mode: GraphicsMode, _ options: PlayingOptions) async {
        console.clearProgress()
        let stage = PlayingStage(animation, mode, coders: coders)
        // A slow terminal keeps the player waiting, which then leaves frames out.
        let ticker = AnimationTicker(TaskAnimationClock(), interval: .seconds(1) / options.fps)
        let player = AnimationPlayer(animation, ticker: ticker) { [console] frame in
            // One that was decoded for a larger window would not fit.
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
            // What is on screen, in its new size, also where the next frame is far off.
            player.seek(toFrame: player.currentFrame)
        }
        player.stop()
        for signal in signals { Signals.shared.end(signal) }
        stage.end()
    }
}

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
