#if canImport(UIKit)
public import EaselApple
public import UIKit

/// An image view that plays animated images, decoded frame by frame at the screen's rate, and only while it is visible.
/// Its size and visibility apply to its loads.
///
/// ```swift
/// let view = AnimatedImageView(frame: frame)
/// view.easel.setImage(with: url)
/// view.player?.rate = 2
/// ```
open class AnimatedImageView: UIImageView, AnimationPlaying {
    /// The player of the view. A custom one can use another ticker.
    public lazy var imagePlayer = ImagePlayer(ticker: .display) { [weak self] frame in self?.image = UIImage(frame) }

    /// Updates playing and load priority when the view enters or leaves a window.
    open override func didMoveToWindow() {
        super.didMoveToWindow()
        setVisible(window != nil)
    }

    /// Loads a larger image if the view has grown.
    open override func layoutSubviews() {
        super.layoutSubviews()
        easel.targetSizeDidChange()
    }
}
#endif
