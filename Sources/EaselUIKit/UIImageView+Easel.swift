#if canImport(UIKit)
@_exported public import EaselApple
@_exported public import EaselCore
public import UIKit

/// Its picture, its highlighted picture, and its animation (S021, X193).
extension UIImageView: PictureView {
    /// Shows a picture, upright and at its scale.
    public func showPicture(_ picture: DecodedImage?, in slot: ImageSlot) {
        let image = picture.flatMap { UIImage($0) }
        switch slot.place {
        case .image: self.image = image
        case .highlighted: highlightedImage = image
        default: break
        }
    }

    /// Plays pictures, each for a thirtieth of a second where `animationDuration` does not say otherwise.
    public func playPictures(_ pictures: [DecodedImage]) {
        stopAnimating()
        animationImages = pictures.isEmpty ? nil : pictures.compactMap { UIImage($0) }
        if !pictures.isEmpty { startAnimating() }
    }

    /// As `contentMode` says.
    public var pictureMode: TargetSize.ContentMode? {
        switch contentMode {
        case .scaleAspectFit: .aspectFit
        case .scaleToFill, .scaleAspectFill, .redraw: .aspectFill
        default: nil
        }
    }
}
#endif
