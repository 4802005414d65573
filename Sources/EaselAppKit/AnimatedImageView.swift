#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import EaselApple

/// An image view that plays animated images, decoded frame by frame at the screen's rate, and only while it is visible.
/// Its size and visibility apply to its loads.
open class AnimatedImageView: NSImageView, AnimationPlaying {
    /// The player of the view. A custom one can use another ticker.
    public lazy var imagePlayer = ImagePlayer(ticker: .display) { [weak self] frame in self?.image = NSImage(frame) }

    /// Updates playing and load priority when the view enters or leaves a window.
    open override func viewDidMoveToWindow() {
        super.viewDidMoveToWindow()
        setVisible(window != nil)
    }

    /// Loads a larger image if the view has grown.
    open override func layout() {
        super.layout()
        easel.targetSizeDidChange()
    }
}
#endif
