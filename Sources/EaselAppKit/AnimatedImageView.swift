#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import EaselApple

/// An image view that plays animated images, decoded frame by frame at the screen's rate, and only while it is visible. Its
/// size and visibility apply to its loads.
open class AnimatedImageView: NSImageView, AnimationPlaying {
    /// What plays in it; another may have a ticker of its own.
    public lazy var imagePlayer = ImagePlayer(ticker: .display) { [weak self] frame in self?.image = NSImage(frame) }

    /// Plays, and loads as urgently as was asked for, while it is in a window.
    open override func viewDidMoveToWindow() {
        super.viewDidMoveToWindow()
        setVisible(window != nil)
    }

    /// Loads a larger image where it has grown.
    open override func layout() {
        super.layout()
        easel.targetSizeDidChange()
    }
}
#endif
