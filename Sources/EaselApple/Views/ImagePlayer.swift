public import EaselCore
public import EaselViews

/// An object that plays the animated images of a view, such as `AnimatedImageView`.
@MainActor
public final class ImagePlayer {
    /// The player of the current image, with its rate, order and loops; `nil` for a still image.
    public private(set) var player: AnimationPlayer?
    /// Whether images play automatically. On by default. Changes play or pause the current image.
    public var plays = true { didSet { if plays != oldValue { updatePlayback() } } }
    /// Whether the view is visible. Frames are decoded only while it is.
    public var isVisible = false { didSet { player?.isVisible = isVisible } }
    /// Called after the last loop of an animation.
    public var onFinish: (@MainActor () -> Void)?

    private let ticker: AnimationTicker
    private let frameStore: FrameStore
    private let draw: @MainActor (DecodedImage) -> Void

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - ticker: The ticker that drives the animation.
    ///   - frameStore: The cache of decoded frames.
    ///   - draw: Shows a frame.
    package init(
        ticker: AnimationTicker, frameStore: FrameStore = .shared, draw: @escaping @MainActor (DecodedImage) -> Void
    ) {
        self.ticker = ticker
        self.frameStore = frameStore
        self.draw = draw
    }

    /// Starts another image. More of the same file continues at the current frame.
    public func show(_ image: DecodedImage?) {
        guard let image, let animation = image.animation else { return end() }
        if let player, player.animation.isPrefix(of: animation) { return player.replace(animation) }
        end()
        let player = AnimationPlayer(animation, frameStore: frameStore, ticker: ticker) { [draw] frame in
            var image = image
            image.pixels = frame.pixels
            image.metadata.frameIndex = frame.index
            draw(image)
        }
        player.onFinish = { [weak self] in self?.onFinish?() }
        player.isVisible = isVisible
        self.player = player
        updatePlayback()
    }

    private func end() {
        // A player that is released while it waits for its next frame would leave its timer.
        player?.stop()
        player = nil
    }

    private func updatePlayback() { plays ? player?.play() : player?.pause() }
}

extension Animation {
    /// Returns whether this is an earlier, partial version of the file of `other`.
    fileprivate func isPrefix(of other: Animation) -> Bool {
        isArriving && other.data.prefix(data.count) == data
    }
}
