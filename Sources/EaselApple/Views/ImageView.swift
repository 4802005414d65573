#if canImport(UIKit)
public import EaselCore
public import UIKit

/// The platform's view class.
public typealias PlatformView = UIView
#elseif canImport(AppKit)
public import AppKit
public import EaselCore

/// The platform's view class.
public typealias PlatformView = NSView
#endif
#if canImport(UIKit) || canImport(AppKit)

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
#endif
