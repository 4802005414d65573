#if canImport(UIKit) || canImport(AppKit)
public import EaselCore

/// A view that plays the animations among its images: `AnimatedImageView` of EaselUIKit and EaselAppKit.
public protocol AnimationPlaying: ImageView {
    /// What plays in it.
    var images: ImagePlayer { get }
}

extension AnimationPlaying {
    /// What plays the image, to set its rate, its order and its loops; `nil` for a still one.
    public var player: AnimationPlayer? { images.player }

    /// The view has come into a window, or has left it: what cannot be seen does not play, and loads less urgently.
    public func setVisible(_ isVisible: Bool) {
        images.isVisible = isVisible
        if isVisible { easel.targetDidAppear() } else { easel.targetDidDisappear() }
    }
}
#endif
