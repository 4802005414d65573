#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
@_exported public import EaselApple
@_exported public import EaselCore

/// Its picture (S021).
extension NSImageView: PictureView {
    /// Shows a picture.
    public func showPicture(_ picture: DecodedImage?, in slot: ImageSlot) {
        if slot == .image { image = picture.flatMap { NSImage($0) } }
    }

    /// As `imageScaling` says.
    public var pictureMode: TargetSize.ContentMode? { imageScaling.pictureMode }
}

/// Its picture, and the one that it shows while it is on (S021, X193).
extension NSButton: PictureView {
    /// Shows a picture.
    public func showPicture(_ picture: DecodedImage?, in slot: ImageSlot) {
        let image = picture.flatMap { NSImage($0) }
        switch slot.place {
        case .image: self.image = image
        case .alternate: alternateImage = image
        default: break
        }
    }

    /// As `imageScaling` says.
    public var pictureMode: TargetSize.ContentMode? { imageScaling.pictureMode }
}

extension NSImageScaling {
    fileprivate var pictureMode: TargetSize.ContentMode? {
        switch self {
        case .scaleProportionallyDown, .scaleProportionallyUpOrDown: .aspectFit
        case .scaleAxesIndependently: .aspectFill
        case .scaleNone: nil
        @unknown default: nil
        }
    }
}
#endif
