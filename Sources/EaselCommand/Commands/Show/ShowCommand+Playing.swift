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
