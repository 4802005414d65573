#if GTK
import EaselFoundation
import EaselCore

/// A player that shows the animation of a painting while it is visible.
@MainActor
final class Playback {
    private enum Content {
        case animation(AnimationPlayer)
        /// A sequence of images, and the index of the current one.
        case images([DecodedImage], index: Int)
    }

    /// The duration of each image in a sequence: a thirtieth of a second, as in UIKit.
    static let imageDuration = Duration.seconds(1) / 30

    var isAutomatic = true
    /// The ticker of players. `nil` uses the shared one.
    var ticker: AnimationTicker?
    private let painting: Painting
    private var content: Content?
    private var isVisible = false
    var clock: any AnimationClock = GLibAnimationClock()
    private var cancelTimer: (@MainActor () -> Void)?

    init(_ painting: Painting) { self.painting = painting }

    isolated deinit { cancelTimer?() }

    var player: AnimationPlayer? {
        if case .animation(let player) = content { player } else { nil }
    }

    /// Plays an image's animation, if it has one, instead of the current one.
    func play(_ image: DecodedImage?) {
        stop()
        guard let image, let animation = image.animation else { return }
        let player = AnimationPlayer(animation, ticker: ticker ?? .shared) { [weak painting] frame in
            painting?.replace(Layer(frame.pixels, of: image))
        }
        content = .animation(player)
        player.isVisible = isVisible
        if isAutomatic { player.play() }
    }

    /// Continues at the current frame if the image is the one that plays, or more of its file: after a revalidation, or
    /// while the file arrives.
    ///
    /// - Returns: Whether it continues. The frame on screen then stays.
    func resume(with image: DecodedImage?) -> Bool {
        guard case .animation(let player) = content, let animation = image?.animation else { return false }
        if player.animation === animation { return true }
        guard player.animation.isBeginning(of: animation) else { return false }
        player.replace(animation)
        return true
    }

    func play(_ images: [DecodedImage]) {
        stop()
        guard images.count > 1 else { return }
        content = .images(images, index: 0)
        showNextImage()
    }

    func stop() {
        // Cancels the timer now instead of when it fires.
        player?.stop()
        content = nil
        cancelTimer?()
        cancelTimer = nil
    }

    /// Updates whether the animation is visible. It pauses while it is not.
    func setVisible(_ isVisible: Bool) {
        self.isVisible = isVisible
        player?.isVisible = isVisible
        cancelTimer?()
        cancelTimer = nil
        if isVisible, case .images = content { showNextImage() }
    }

    private func showNextImage() {
        guard isVisible, case .images(let images, let index) = content else { return }
        painting.replace(Layer(images[index]))
        content = .images(images, index: (index + 1) % images.count)
        cancelTimer = clock.schedule(after: Self.imageDuration) { [weak self] in self?.showNextImage() }
    }
}
#endif
