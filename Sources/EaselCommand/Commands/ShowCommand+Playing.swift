import ArgumentParser
import EaselCore

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
    func play(_ animation: Animation, _ mode: GraphicsMode, in window: TerminalSize, _ options: PlayingOptions) async {
        let stage = TerminalStage(mode, size: animation.size, in: window)
        let restoring = ExitActions.shared.add { StandardStream.output.write(stage.closing) }
        CrashRestoration.install(TerminalStage.rescue)
        console.drawing(stage.opening)
        defer {
            console.drawing(stage.closing)
            ExitActions.shared.remove(restoring)
        }
        // A slow terminal keeps the player waiting, which then leaves frames out.
        let ticker = AnimationTicker(TaskAnimationClock(), interval: .seconds(1) / options.fps)
        let player = AnimationPlayer(animation, ticker: ticker) { [console] frame in
            console.drawing(stage.draw(frame.pixels))
        }
        player.loopLimit = options.loop
        let end = AsyncStream<Never> { continuation in
            player.onFinish = { continuation.finish() }
        }
        player.play()
        for await _ in end {}
        player.stop()
    }
}
