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

/// A view that shows images by itself: `UIImageView`, `UIButton`, `NSImageView`, `NSButton` and `MKAnnotationView` do, in
/// EaselUIKit and EaselAppKit. A custom view that conforms gets all of `easel`.
///
/// Any other view takes a `setter` with each call of `setImage(with:)`.
@MainActor
public protocol ImageView: PlatformView {
    /// Shows an image in one of the view's places, or nothing. A place that the view has not got is passed over.
    func showImage(_ image: DecodedImage?, in slot: ImageSlot)

    /// Plays images one after the other; none ends that. By default the first is shown.
    func playImages(_ images: [DecodedImage])

    /// How the view places an image of other proportions than its own, `nil` where it draws it at its own size: what images
    /// are decoded to depends on it. By default it fills itself.
    var imageMode: TargetSize.ContentMode? { get }
}

extension ImageView {
    /// Shows the first of them.
    public func playImages(_ images: [DecodedImage]) { showImage(images.first, in: .image) }

    /// Fills itself.
    public var imageMode: TargetSize.ContentMode? { .aspectFill }
}
#endif
