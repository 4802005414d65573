public import EaselCore

/// Plays the animations among the images of a view. `AnimatedImageView` adds the view.
@MainActor
public final class ImagePlayer {
    /// What plays the image, to set its rate, its order and its loops; `nil` for a still one.
    public private(set) var player: AnimationPlayer?
    /// Whether an image plays from when it is shown. On by default; changing it plays or pauses the one that is shown.
    public var plays = true {
        didSet { if plays != oldValue { settle() } }
    }
    /// Whether the view is visible. Frames are decoded only while it is.
    public var isVisible = false {
        didSet { player?.isVisible = isVisible }
    }
    /// Called when the last loop of an animation is over.
    public var onFinish: (@MainActor () -> Void)?

    private let ticker: AnimationTicker
    private let frameStore: FrameStore
    private let draw: @MainActor (DecodedImage) -> Void

    /// - Parameters:
    ///   - ticker: what wakes players.
    ///   - frameStore: where decoded frames are kept.
    ///   - draw: shows a frame.
    public init(
        ticker: AnimationTicker, frameStore: FrameStore = .shared, draw: @escaping @MainActor (DecodedImage) -> Void
    ) {
        self.ticker = ticker
        self.frameStore = frameStore
        self.draw = draw
    }

    /// Starts another image. More of the same file continues at the current frame.
    public func show(_ image: DecodedImage?) {
        guard let image, let animation = image.animation else { return end() }
        if let player, player.animation.isBeginning(of: animation) { return player.replace(animation) }
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
        settle()
    }

    private func end() {
        // One that is let go of while it waits for its next frame leaves the timer behind.
        player?.stop()
        player = nil
    }

    private func settle() {
        plays ? player?.play() : player?.pause()
    }
}

extension Animation {
    /// Whether this is what had come of the file of `other` a while ago.
    fileprivate func isBeginning(of other: Animation) -> Bool {
        isArriving && other.data.prefix(data.count) == data
    }
}
