#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
@_exported public import EaselApple
@_exported public import EaselCore

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
#endif
