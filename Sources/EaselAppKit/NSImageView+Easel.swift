#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
@_exported public import EaselApple
@_exported public import EaselCore

/// Its image.
extension NSImageView: ImageView {
    /// Shows an image.
    public func showImage(_ image: DecodedImage?, in slot: ImageSlot) {
        if slot == .image { self.image = image.flatMap { NSImage($0) } }
    }

    /// As `imageScaling` says.
    public var imageMode: TargetSize.ContentMode? { imageScaling.imageMode }
}

/// Its image, and the one that it shows while it is on.
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

    /// As `imageScaling` says.
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
