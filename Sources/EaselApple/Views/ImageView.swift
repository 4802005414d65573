#if canImport(UIKit) || canImport(AppKit)
public import EaselCore
public import EaselViews
#if canImport(UIKit)
public import UIKit

/// The platform's view class.
public typealias PlatformView = UIView
#else
public import AppKit

/// The platform's view class.
public typealias PlatformView = NSView
#endif

/// A view that shows images: `UIImageView`, `UIButton`, `NSImageView`, `NSButton` and `MKAnnotationView` conform in
/// EaselUIKit and EaselAppKit. A custom view that conforms supports all of `easel`.
///
/// Other views need a `setter` with each call of `setImage(with:)`.
@MainActor
public protocol ImageView: PlatformView {
    /// Shows an image in a slot of the view, or nothing. Ignores slots that the view does not have.
    func showImage(_ image: DecodedImage?, in slot: ImageSlot)

    /// Plays images in order. An empty array stops playing. The default implementation shows the first image.
    func playImages(_ images: [DecodedImage])

    /// How the view fits images of another aspect ratio, or `nil` if it draws them at their own size. Images are
    /// decoded accordingly. The default is `.aspectFill`.
    var imageMode: TargetSize.ContentMode? { get }
}

extension ImageView {
    /// Shows the first image.
    public func playImages(_ images: [DecodedImage]) { showImage(images.first, in: .image) }

    /// Fills the view.
    public var imageMode: TargetSize.ContentMode? { .aspectFill }
}

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
