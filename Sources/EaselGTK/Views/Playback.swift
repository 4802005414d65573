#if GTK
import EaselCore

/// Plays what a painting shows, where that moves, and as long as it can be seen.
@MainActor
final class Playback {
    /// What plays.
    private enum Course {
        case animation(AnimationPlayer, Animation)
        /// Pictures one after the other, and the one that is shown.
        case pictures([DecodedImage], index: Int)
    }

    /// How long each of several pictures is shown: as long as in UIKit, a thirtieth of a second.
    static let pictureDuration = Duration.seconds(1) / 30

    /// Whether animations begin by themselves.
    var isAutomatic = true
    /// What wakes players; the process's, unless a test has one.
    var ticker: AnimationTicker?
    private let painting: Painting
    private var course: Course?
    private var isVisible = false
    /// What several pictures play by.
    var clock: any AnimationClock = GLibAnimationClock()
    private var cancelTimer: (@MainActor () -> Void)?

    init(_ painting: Painting) { self.painting = painting }

    isolated deinit { cancelTimer?() }

    /// What plays the animation that is shown.
    var player: AnimationPlayer? {
        if case .animation(let player, _) = course { player } else { nil }
    }

    /// Plays a picture's animation, where it has one, in place of what plays.
    func play(_ image: DecodedImage?) {
        guard let image, let animation = image.animation else { return stop() }
        // A picture that comes again, from the server behind the cache, goes on where it is.
        if case .animation(let player, let playing) = course, playing === animation {
            return repaint(player)
        }
        stop()
        let player = AnimationPlayer(animation, ticker: ticker ?? .shared) { [weak painting] frame in
            painting?.replace(Layer(frame.pixels, scale: image.scale))
        }
        course = .animation(player, animation)
        player.isVisible = isVisible
        if isAutomatic { player.play() }
    }

    /// Plays pictures one after the other, again and again.
    func play(_ images: [DecodedImage]) {
        stop()
        guard images.count > 1 else { return }
        course = .pictures(images, index: 0)
        showNextPicture()
    }

    func stop() {
        // Its timer goes at once, and not when it next rings.
        player?.stop()
        course = nil
        cancelTimer?()
        cancelTimer = nil
    }

    /// Whether anybody sees it: time stands still while nobody does.
    func setVisible(_ isVisible: Bool) {
        self.isVisible = isVisible
        player?.isVisible = isVisible
        cancelTimer?()
        cancelTimer = nil
        if isVisible, case .pictures = course { showNextPicture() }
    }

    /// The first frame was shown in place of the one that the player is at.
    private func repaint(_ player: AnimationPlayer) {
        if player.currentFrame != 0 { player.seek(toFrame: player.currentFrame) }
    }

    private func showNextPicture() {
        guard isVisible, case .pictures(let images, let index) = course else { return }
        painting.replace(Layer(images[index]))
        course = .pictures(images, index: (index + 1) % images.count)
        cancelTimer = clock.schedule(after: Self.pictureDuration) { [weak self] in self?.showNextPicture() }
    }
}
#endif
