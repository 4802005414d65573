#if canImport(UIKit)
public import EaselApple
public import UIKit

/// An image view that plays animated images, decoded frame by frame at the screen's rate, and only while it is visible. Its
/// size and visibility apply to its loads.
///
/// ```swift
/// let view = AnimatedImageView(frame: frame)
/// view.easel.setImage(with: url)
/// view.player?.rate = 2
/// ```
open class AnimatedImageView: UIImageView, AnimationPlaying {
    /// What plays in it; another may have a ticker of its own.
    public lazy var imagePlayer = ImagePlayer(ticker: .display) { [weak self] frame in self?.image = UIImage(frame) }

    /// Plays, and loads as urgently as was asked for, while it is in a window.
    open override func didMoveToWindow() {
        super.didMoveToWindow()
        setVisible(window != nil)
    }

    /// Loads a larger image where it has grown.
    open override func layoutSubviews() {
        super.layoutSubviews()
        easel.targetSizeDidChange()
    }
}
#endif
