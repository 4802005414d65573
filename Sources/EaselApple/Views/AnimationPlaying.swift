#if canImport(UIKit) || canImport(AppKit)
public import EaselCore

/// A view that plays animated images, such as `AnimatedImageView` of EaselUIKit and EaselAppKit.
public protocol AnimationPlaying: ImageView {
    /// The player of the view's animations.
    var imagePlayer: ImagePlayer { get }
}

extension AnimationPlaying {
    /// The player of the current image, with its rate, order and loops; `nil` for a still image.
    public var player: AnimationPlayer? { imagePlayer.player }

    /// Updates the view when it enters or leaves a window. Outside a window it does not play, and loads at a lower
    /// priority.
    public func setVisible(_ isVisible: Bool) {
        imagePlayer.isVisible = isVisible
        if isVisible { easel.targetDidAppear() } else { easel.targetDidDisappear() }
    }
}
#endif
