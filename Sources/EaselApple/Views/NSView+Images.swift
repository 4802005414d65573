#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import EaselCore
import EaselViews

extension NSView {
    /// The size of the bounds in screen pixels, or in points without a screen.
    var backingSize: PixelSize {
        let size = convertToBacking(bounds).size
        return PixelSize(Int(size.width.rounded(.up)), Int(size.height.rounded(.up)))
    }

    func invalidateLayout() { needsLayout = true }

    /// Runs a transition with Core Animation.
    func run(
        _ transition: ImageTransition, showing show: @escaping @MainActor () -> Void,
        finish: @escaping @MainActor () -> Void
    ) {
        wantsLayer = true
        guard let layer else {
            show()
            return finish()
        }
        layer.run(
            transition, isRightToLeft: userInterfaceLayoutDirection == .rightToLeft, showing: show, finish: finish)
    }
}

extension NSView.AutoresizingMask {
    static let staysCentered: Self = [.minXMargin, .maxXMargin, .minYMargin, .maxYMargin]
}

extension NSImage {
    /// Creates an AppKit image with the image's scale, without a copy. Returns `nil` if Core Graphics fails.
    public convenience init?(_ image: DecodedImage) {
        guard let bitmap = image.cgImage else { return nil }
        let size = image.size
        self.init(
            cgImage: bitmap,
            size: NSSize(width: Double(size.width) / image.scale, height: Double(size.height) / image.scale))
    }
}

extension DecodedImage {
    /// Creates an image from the best representation, upright, in sRGB.
    ///
    /// - Throws: `ImageError.unsupported` if there is no representation, and the errors of
    ///   `PixelBuffer.init(_:size:colorSpace:)`.
    public init(_ image: NSImage) throws(ImageError) {
        guard let bitmap = image.cgImage(forProposedRect: nil, context: nil, hints: nil) else {
            throw .unsupported("The image has no representation that can be drawn.")
        }
        let scale = image.size.width > 0 ? Double(bitmap.width) / image.size.width : 1
        try self.init(bitmap, scale: scale)
    }
}
#endif
