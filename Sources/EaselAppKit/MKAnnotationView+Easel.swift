#if canImport(MapKit) && canImport(AppKit) && !canImport(UIKit)
public import EaselApple
public import EaselCore
public import MapKit
import AppKit

/// The picture of an annotation, at its own size (X193).
extension MKAnnotationView: PictureView {
    /// Shows a picture.
    public func showPicture(_ picture: DecodedImage?, in slot: ImageSlot) {
        if slot == .image { image = picture.flatMap { NSImage($0) } }
    }

    /// The view has no size before it has a picture.
    public var pictureMode: TargetSize.ContentMode? { nil }
}
#endif
