#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
@_exported public import EaselApple
@_exported public import EaselCore
@_exported public import EaselViews
#if canImport(MapKit)
public import MapKit
#endif

/// Shows the image.
extension NSImageView: ImageView {
    /// Shows an image.
    public func showImage(_ image: DecodedImage?, in slot: ImageSlot) {
        if slot == .image { self.image = image.flatMap { NSImage($0) } }
    }

    /// The mode according to `imageScaling`.
    public var imageMode: TargetSize.ContentMode? { imageScaling.imageMode }
}

/// Shows the image and the alternate image, which is visible while the button is on.
extension NSButton: ImageView {
    /// Shows an image.
    public func showImage(_ image: DecodedImage?, in slot: ImageSlot) {
        let image = image.flatMap { NSImage($0) }
        switch slot.place {
        case .image: self.image = image
        case .alternate: alternateImage = image
        default: break
        }
    }

    /// The mode according to `imageScaling`.
    public var imageMode: TargetSize.ContentMode? { imageScaling.imageMode }
}

extension NSImageScaling {
    fileprivate var imageMode: TargetSize.ContentMode? {
        switch self {
        case .scaleProportionallyDown, .scaleProportionallyUpOrDown: .aspectFit
        case .scaleAxesIndependently: .aspectFill
        case .scaleNone: nil
        @unknown default: nil
        }
    }
}

/// An image view that plays animated images, decoded frame by frame at the screen's rate, and only while it is visible.
/// Its size and visibility apply to its loads.
open class AnimatedImageView: NSImageView, AnimationPlaying {
    /// The player of the view. A custom one can use another ticker.
    public lazy var imagePlayer = ImagePlayer(ticker: .display) { [weak self] frame in self?.image = NSImage(frame) }

    /// Updates playing and load priority when the view enters or leaves a window.
    open override func viewDidMoveToWindow() {
        super.viewDidMoveToWindow()
        setVisible(window != nil)
    }

    /// Loads a larger image if the view has grown.
    open override func layout() {
        super.layout()
        easel.targetSizeDidChange()
    }
}

#if canImport(MapKit)
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
#endif
