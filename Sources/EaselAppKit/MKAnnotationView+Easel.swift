#if canImport(MapKit) && canImport(AppKit) && !canImport(UIKit)
public import EaselApple
public import EaselCore
public import MapKit
import AppKit

/// Shows the image of an annotation at its own size.
extension MKAnnotationView: ImageView {
    /// Shows an image.
    public func showImage(_ image: DecodedImage?, in slot: ImageSlot) {
        if slot == .image { self.image = image.flatMap { NSImage($0) } }
    }

    /// The view has no size before it has an image.
    public var imageMode: TargetSize.ContentMode? { nil }
}
#endif
