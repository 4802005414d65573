#if canImport(UIKit) || canImport(AppKit)
public import EaselCore

/// Plays the animations among the pictures that a view is given: what an animated image view is, without the view.
@MainActor
public final class PicturePlayer {
    /// What plays the picture, to set its rate, its order and its loops; `nil` for a still one.
    public private(set) var player: AnimationPlayer?
    /// Whether a picture begins to play when it is shown. On by default.
    public var playsAtOnce = true
    /// Whether anybody can see it: while nobody can, nothing is decoded (X175).
    public var isVisible = false {
        didSet { player?.isVisible = isVisible }
    }
    private let ticker: AnimationTicker
    private let draw: @MainActor (DecodedImage) -> Void

    /// - Parameters:
    ///   - ticker: what wakes players.
    ///   - draw: shows a frame.
    public init(ticker: AnimationTicker = .display, draw: @escaping @MainActor (DecodedImage) -> Void) {
        self.ticker = ticker
        self.draw = draw
    }

    /// Begins with another picture; one whose file has come further goes on where it was.
    public func show(_ picture: DecodedImage?) {
        guard let picture, let animation = picture.animation else {
            player = nil
            return
        }
        if let player, player.animation.isArriving { return player.replace(animation) }
        let player = AnimationPlayer(animation, ticker: ticker) { [draw] frame in
            var picture = picture
            picture.pixels = frame.pixels
            picture.metadata.frameIndex = frame.index
            draw(picture)
        }
        player.isVisible = isVisible
        self.player = player
        if playsAtOnce { player.play() }
    }
}

/// A view that plays the animations among its pictures: `AnimatedImageView` of EaselUIKit and EaselAppKit.
public protocol AnimatedPictureView: PictureView {
    /// What plays in it.
    var pictures: PicturePlayer { get }
}

extension AnimatedPictureView {
    /// What plays the picture, to set its rate, its order and its loops; `nil` for a still one.
    public var player: AnimationPlayer? { pictures.player }

    /// The view has come into a window, or has left it: what cannot be seen does not play, and loads less urgently.
    public func setVisible(_ isVisible: Bool) {
        pictures.isVisible = isVisible
        if isVisible { easel.targetDidAppear() } else { easel.targetDidDisappear() }
    }
}
#endif
