import EaselCore

extension GridScreen {
    /// Plays the animations in the window; for the others time stands still.
    func playWhatIsSeen() {
        let visible = state.visible
        for (index, cell) in cells where cell.player != nil || cell.picture?.image.animation != nil {
            let isSeen = visible.contains(index) && state.content(of: index) == .picture
            if let player = cell.player {
                player.isVisible = isSeen
            } else if isSeen, let animation = cell.picture?.image.animation {
                play(animation, in: index)
            }
        }
    }

    private func play(_ animation: Animation, in index: Int) {
        let player = AnimationPlayer(animation, ticker: ticker) { [weak self] frame in
            self?.show(frame.pixels, in: index)
        }
        player.loopLimit = playing.loop
        cells[index]?.player = player
        player.play()
    }

    /// Draws a frame in place of the one before. A slow terminal keeps the players waiting, which then leave frames out.
    private func show(_ pixels: PixelBuffer, in index: Int) {
        guard pixels.size.fits(in: state.layout.box) else { return }
        cells[index]?.picture?.encoded = EncodedPicture(pixels, source.mode, number: index + 1)
        guard state.visible.contains(index), state.content(of: index) == .picture else { return }
        session.console.drawing(GridPainter.atOnce(drawing(of: index)))
    }
}
