#if canImport(UIKit)
@_exported public import EaselApple
@_exported public import EaselCore
public import UIKit

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
#endif
