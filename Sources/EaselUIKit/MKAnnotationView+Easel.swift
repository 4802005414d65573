#if canImport(MapKit) && canImport(UIKit)
public import EaselApple
public import EaselCore
public import MapKit
import UIKit

/// The picture of an annotation, at its own size (X193).
extension MKAnnotationView: PictureView {
    /// Shows a picture.
    public func showPicture(_ picture: DecodedImage?, in slot: ImageSlot) {
        if slot == .image { image = picture.flatMap { UIImage($0) } }
    }

    /// The view has no size before it has a picture.
    public var pictureMode: TargetSize.ContentMode? { nil }
}
#endif
