#if canImport(UIKit) || canImport(AppKit)
public import EaselCore

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
