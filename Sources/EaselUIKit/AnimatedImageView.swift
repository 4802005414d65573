#if canImport(UIKit)
public import EaselApple
public import UIKit

/// An image view that plays animated pictures, decoded frame by frame, with the screen, and only while it can be seen (X175,
/// X193). It tells its loads its size and whether it can be seen.
///
/// ```swift
/// let view = AnimatedImageView(frame: frame)
/// view.easel.setImage(with: url)
/// view.player?.rate = 2
/// ```
open class AnimatedImageView: UIImageView, AnimatedPictureView {
    /// What plays in it; another may have a ticker of its own.
    public lazy var pictures = PicturePlayer(ticker: .display) { [weak self] frame in self?.image = UIImage(frame) }

    /// Plays, and loads as urgently as was asked for, while it is in a window.
    open override func didMoveToWindow() {
        super.didMoveToWindow()
        setVisible(window != nil)
    }

    /// Loads a larger picture where it has grown.
    open override func layoutSubviews() {
        super.layoutSubviews()
        easel.targetSizeDidChange()
    }
}
#endif
