import ArgumentParser
import EaselCore
import EaselViews
import Foundation

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
        let area = PlaybackArea(animation, mode, coders: coders)
        // A slow terminal delays the player, which then skips frames.
        let ticker = AnimationTicker(TaskAnimationClock(), interval: .seconds(1) / options.fps)
        let player = AnimationPlayer(animation, ticker: ticker) { [console] frame in
            // A frame decoded for a larger window does not fit.
            if let text = area.draw(frame.pixels) { console.writeDrawing(text) }
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
            if events.contains(.suspended) { area.suspend() } else { area.updateSize() }
            player.replace(area.animation)
            // Redraws the current frame in its new size without waiting for the next one.
            player.seek(toFrame: player.currentFrame)
        }
        player.stop()
        for signal in signals { Signals.shared.end(signal) }
        area.end()
    }
}

enum PlayingEvent: Sendable, Hashable {
    case finished, windowChanged, suspended
}

/// The area of the terminal where an animation plays. It follows the window's size.
@MainActor
final class PlaybackArea {
    /// The animation, decoded for the size of the window.
    private(set) var animation: Animation

    private let mode: GraphicsMode
    private let coders: CoderRegistry
    private var window: TerminalSize
    private var area: TerminalArea
    private var terminalMode: TerminalMode

    init(_ animation: Animation, _ mode: GraphicsMode, coders: CoderRegistry) {
        self.animation = animation
        self.mode = mode
        self.coders = coders
        window = .current(of: StandardStream.output.descriptor)
        area = TerminalArea(mode, size: animation.size, in: window)
        terminalMode = area.begin()
    }

    /// Returns the text that draws a frame, or `nil` if the frame does not fit.
    func draw(_ pixels: PixelBuffer) -> String? {
        pixels.size.fits(in: mode.canvas(in: window)) ? area.draw(pixels) : nil
    }

    func updateSize() {
        if window != .current(of: StandardStream.output.descriptor) { restart() }
    }

    /// Returns the terminal to the shell until the process continues.
    func suspend() {
        // kill() may stop another thread first, while this one continues for a moment.
        restart { _ = raise(SIGSTOP) }
    }

    func end() { terminalMode.end() }

    private func restart(after pause: () -> Void = {}) {
        terminalMode.end()
        pause()
        window = .current(of: StandardStream.output.descriptor)
        let options = DecodeOptions(targetSize: .pixels(mode.canvas(in: window), mode: .aspectFit))
        // The file was decoded before, so an error is unlikely. On error, the animation keeps its size.
        if let resized = try? Animation(data: animation.data, coders: coders, options: options) { animation = resized }
        area = TerminalArea(mode, size: animation.size, in: window)
        terminalMode = area.begin(clearing: true)
    }
}
