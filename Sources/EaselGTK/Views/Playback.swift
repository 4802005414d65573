#if GTK
import EaselFoundation
import EaselCore

/// Plays what a painting shows, where that moves, and as long as it can be seen.
@MainActor
final class Playback {
    /// What plays.
    private enum Course {
        case animation(AnimationPlayer)
        /// Images one after the other, and the one that is shown.
        case images([DecodedImage], index: Int)
    }

    /// How long each of several images is shown: as long as in UIKit, a thirtieth of a second.
    static let imageDuration = Duration.seconds(1) / 30

    /// Whether animations begin by themselves.
    var isAutomatic = true
    /// What wakes players; the process's, unless a test has one.
    var ticker: AnimationTicker?
    private let painting: Painting
    private var course: Course?
    private var isVisible = false
    /// What several images play by.
    var clock: any AnimationClock = GLibAnimationClock()
    private var cancelTimer: (@MainActor () -> Void)?

    init(_ painting: Painting) { self.painting = painting }

    isolated deinit { cancelTimer?() }

    /// What plays the animation that is shown.
    var player: AnimationPlayer? {
        if case .animation(let player) = course { player } else { nil }
    }

    /// Plays an image's animation, if it has one, instead of the current one.
    func play(_ image: DecodedImage?) {
        stop()
        guard let image, let animation = image.animation else { return }
        let player = AnimationPlayer(animation, ticker: ticker ?? .shared) { [weak painting] frame in
            painting?.replace(Layer(frame.pixels, of: image))
        }
        course = .animation(player)
        player.isVisible = isVisible
        if isAutomatic { player.play() }
    }

    /// Continues at the current frame if an image is the one that plays, or more of its file: after a revalidation, or while
    /// the file arrives.
    ///
    /// - Returns: whether it continues. The frame on screen then stays.
    func goOn(with image: DecodedImage?) -> Bool {
        guard case .animation(let player) = course, let animation = image?.animation else { return false }
        if player.animation === animation { return true }
        guard player.animation.isArriving, player.animation.size == animation.size,
            animation.data.prefix(player.animation.data.count) == player.animation.data
        else { return false }
        player.replace(animation)
        return true
    }

    /// Plays images one after the other, again and again.
    func play(_ images: [DecodedImage]) {
        stop()
        guard images.count > 1 else { return }
        course = .images(images, index: 0)
        showNextImage()
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
        if isVisible, case .images = course { showNextImage() }
    }

    private func showNextImage() {
        guard isVisible, case .images(let images, let index) = course else { return }
        painting.replace(Layer(images[index]))
        course = .images(images, index: (index + 1) % images.count)
        cancelTimer = clock.schedule(after: Self.imageDuration) { [weak self] in self?.showNextImage() }
    }
}
#endif
