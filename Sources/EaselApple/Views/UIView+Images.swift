#if canImport(UIKit)
public import EaselCore
import EaselViews
import ImageIO
public import UIKit

extension UIView {
    /// The size of the bounds in screen pixels.
    var backingSize: PixelSize {
        let scale = traitCollection.displayScale > 0 ? traitCollection.displayScale : 1
        return PixelSize(Int((bounds.width * scale).rounded(.up)), Int((bounds.height * scale).rounded(.up)))
    }

    func invalidateLayout() { setNeedsLayout() }

    /// Runs a transition with UIKit, or with Core Animation if UIKit has no equivalent.
    func run(
        _ transition: ImageTransition, showing show: @escaping @MainActor () -> Void,
        finish: @escaping @MainActor () -> Void
    ) {
        let isRightToLeft = effectiveUserInterfaceLayoutDirection == .rightToLeft
        guard let options = transition.kind.animationOptions(isRightToLeft: isRightToLeft) else {
            layer.run(transition, isRightToLeft: isRightToLeft, showing: show, finish: finish)
            return
        }
        UIView.transition(
            with: self, duration: transition.duration / .seconds(1), options: [options, .allowUserInteraction],
            animations: { show() }, completion: { _ in finish() })
    }
}

extension UIView.AutoresizingMask {
    static let staysCentered: Self = [
        .flexibleLeftMargin, .flexibleRightMargin, .flexibleTopMargin, .flexibleBottomMargin,
    ]
}

extension ImageTransition.Kind {
    /// Returns UIKit's option, or `nil` if UIKit has no equivalent.
    func animationOptions(isRightToLeft: Bool) -> UIView.AnimationOptions? {
        switch self {
        case .none, .slide, .custom: nil
        case .fade, .zoom: .transitionCrossDissolve
        case .curl(from: .top): .transitionCurlDown
        case .curl: .transitionCurlUp
        case .flip(from: .top): .transitionFlipFromTop
        case .flip(from: .bottom): .transitionFlipFromBottom
        case .flip(from: .leading): isRightToLeft ? .transitionFlipFromRight : .transitionFlipFromLeft
        case .flip(from: .trailing): isRightToLeft ? .transitionFlipFromLeft : .transitionFlipFromRight
        }
    }
}

extension UIImage {
    /// Creates a UIKit image with the image's scale, without a copy. Returns `nil` if Core Graphics fails.
    public convenience init?(_ image: DecodedImage) {
        guard let bitmap = image.cgImage else { return nil }
        self.init(cgImage: bitmap, scale: image.scale, orientation: .up)
    }
}

extension DecodedImage {
    /// Creates an image from a bitmap image, upright, at its scale, in sRGB.
    ///
    /// - Throws: `ImageError.unsupported` if the image is not a bitmap, and the errors of
    ///   `PixelBuffer.init(_:size:colorSpace:)`.
    public init(_ image: UIImage) throws(ImageError) {
        guard let bitmap = image.cgImage else { throw .unsupported("The image is not a bitmap. Draw it into one.") }
        try self.init(bitmap, scale: image.scale, orientation: .init(image.imageOrientation))
    }
}

extension CGImagePropertyOrientation {
    /// UIKit uses the same names but other numbers.
    init(_ orientation: UIImage.Orientation) {
        self =
            switch orientation {
            case .up: .up
            case .upMirrored: .upMirrored
            case .down: .down
            case .downMirrored: .downMirrored
            case .left: .left
            case .leftMirrored: .leftMirrored
            case .right: .right
            case .rightMirrored: .rightMirrored
            @unknown default: .up
            }
    }
}
#endif
