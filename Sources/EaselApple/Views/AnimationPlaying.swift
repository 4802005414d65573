#if canImport(UIKit) || canImport(AppKit)
public import EaselCore

/// A view that plays the animations among its images: `AnimatedImageView` of EaselUIKit and EaselAppKit.
public protocol AnimationPlaying: ImageView {
    /// The player of the view's animations.
    var imagePlayer: ImagePlayer { get }
}

extension AnimationPlaying {
    /// What plays the image, to set its rate, its order and its loops; `nil` for a still one.
    public var player: AnimationPlayer? { imagePlayer.player }

    /// Updates the view when it enters or leaves a window. A view outside a window does not play, and loads at a lower priority.
    public func setVisible(_ isVisible: Bool) {
        imagePlayer.isVisible = isVisible
        if isVisible { easel.targetDidAppear() } else { easel.targetDidDisappear() }
    }
}
#endif
