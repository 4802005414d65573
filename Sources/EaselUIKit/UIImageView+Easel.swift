#if canImport(UIKit)
@_exported public import EaselApple
@_exported public import EaselCore
@_exported public import EaselViews
public import UIKit
#if canImport(MapKit)
public import MapKit
#endif

/// Shows the image, the highlighted image and the animation.
extension UIImageView: ImageView {
    /// Shows an image, upright and at its scale.
    public func showImage(_ image: DecodedImage?, in slot: ImageSlot) {
        let image = image.flatMap { UIImage($0) }
        switch slot.place {
        case .image: self.image = image
        case .highlighted: highlightedImage = image
        default: break
        }
    }

    /// Plays images, each for a thirtieth of a second unless `animationDuration` is set.
    public func playImages(_ images: [DecodedImage]) {
        stopAnimating()
        animationImages = images.isEmpty ? nil : images.compactMap { UIImage($0) }
        if !images.isEmpty { startAnimating() }
    }

    /// The mode according to `contentMode`.
    public var imageMode: TargetSize.ContentMode? {
        switch contentMode {
        case .scaleAspectFit: .aspectFit
        case .scaleToFill, .scaleAspectFill, .redraw: .aspectFill
        default: nil
        }
    }
}

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

#if canImport(MapKit)
/// Shows the image of an annotation at its own size.
extension MKAnnotationView: ImageView {
    /// Shows an image.
    public func showImage(_ image: DecodedImage?, in slot: ImageSlot) {
        if slot == .image { self.image = image.flatMap { UIImage($0) } }
    }

    /// The view has no size before it has an image.
    public var imageMode: TargetSize.ContentMode? { nil }
}
#endif
#endif
