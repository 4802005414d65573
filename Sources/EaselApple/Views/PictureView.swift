#if canImport(UIKit)
public import EaselCore
public import UIKit

/// What the platform calls a view.
public typealias PlatformView = UIView
#elseif canImport(AppKit)
public import AppKit
public import EaselCore

/// What the platform calls a view.
public typealias PlatformView = NSView
#endif
#if canImport(UIKit) || canImport(AppKit)

/// A view that shows pictures by itself: `UIImageView`, `UIButton`, `NSImageView`, `NSButton` and `MKAnnotationView` do, in
/// EaselUIKit and EaselAppKit. A view of an application's own that conforms gets everything behind `easel`.
///
/// Any other view takes a `setter` with each call of `setImage(with:)` (S018, S021).
@MainActor
public protocol PictureView: PlatformView {
    /// Shows a picture in one of the view's places, or nothing. A place that the view has not got is passed over.
    func showPicture(_ picture: DecodedImage?, in slot: ImageSlot)

    /// Plays pictures one after the other; none ends that. By default the first is shown.
    func playPictures(_ pictures: [DecodedImage])

    /// How the view places a picture of other proportions than its own, `nil` where it draws it at its own size: what pictures
    /// are decoded to depends on it. By default it fills itself.
    var pictureMode: TargetSize.ContentMode? { get }
}

extension PictureView {
    /// Shows the first of them.
    public func playPictures(_ pictures: [DecodedImage]) { showPicture(pictures.first, in: .image) }

    /// Fills itself.
    public var pictureMode: TargetSize.ContentMode? { .aspectFill }
}
#endif
