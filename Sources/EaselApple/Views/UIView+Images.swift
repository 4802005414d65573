#if canImport(UIKit)
public import EaselCore
import ImageIO
public import UIKit

extension UIView {
    /// The bounds in pixels of the view's screen.
    var backingSize: PixelSize {
        let scale = traitCollection.displayScale > 0 ? traitCollection.displayScale : 1
        return PixelSize(Int((bounds.width * scale).rounded(.up)), Int((bounds.height * scale).rounded(.up)))
    }

    func layOutAnew() { setNeedsLayout() }

    /// Runs a transition of UIKit's, or one of Core Animation's where UIKit has none.
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
    static let staysInTheMiddle: Self = [
        .flexibleLeftMargin, .flexibleRightMargin, .flexibleTopMargin, .flexibleBottomMargin,
    ]
}

extension ImageTransition.Kind {
    /// UIKit's name for it; `nil` for what Core Animation does.
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
    /// The image as UIKit takes it, at its scale, without a copy; `nil` where Core Graphics refuses it.
    public convenience init?(_ image: DecodedImage) {
        guard let bitmap = image.cgImage else { return nil }
        self.init(cgImage: bitmap, scale: image.scale, orientation: .up)
    }
}

extension DecodedImage {
    /// The pixels of an image, upright, at its scale, in sRGB. An image that is no bitmap has none.
    ///
    /// - Throws: `ImageError.unsupported` for such a one, and what `PixelBuffer.init(_:size:colorSpace:)` throws.
    public init(_ image: UIImage) throws(ImageError) {
        guard let bitmap = image.cgImage else { throw .unsupported("The image is no bitmap. Draw it into one.") }
        try self.init(bitmap, scale: image.scale, orientation: .init(image.imageOrientation))
    }
}

extension CGImagePropertyOrientation {
    /// UIKit's names are the same, and its numbers are not.
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
