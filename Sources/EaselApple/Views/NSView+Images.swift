#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import EaselCore

extension NSView {
    /// The bounds in pixels of the view's screen; in points while it has none.
    var backingSize: PixelSize {
        let size = convertToBacking(bounds).size
        return PixelSize(Int(size.width.rounded(.up)), Int(size.height.rounded(.up)))
    }

    func layOutAnew() { needsLayout = true }

    /// Runs a transition of Core Animation's.
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
    static let staysInTheMiddle: Self = [.minXMargin, .maxXMargin, .minYMargin, .maxYMargin]
}

extension NSImage {
    /// The image as AppKit takes it, at its scale, without a copy; `nil` where Core Graphics refuses it.
    public convenience init?(_ image: DecodedImage) {
        guard let bitmap = image.cgImage else { return nil }
        let size = image.size
        self.init(
            cgImage: bitmap,
            size: NSSize(width: Double(size.width) / image.scale, height: Double(size.height) / image.scale))
    }
}

extension DecodedImage {
    /// The pixels of an image's best representation, upright, in sRGB.
    ///
    /// - Throws: `ImageError.unsupported` for an image that has none, and what `PixelBuffer.init(_:size:colorSpace:)` throws.
    public init(_ image: NSImage) throws(ImageError) {
        guard let bitmap = image.cgImage(forProposedRect: nil, context: nil, hints: nil) else {
            throw .unsupported("The image has no representation that can be drawn.")
        }
        let scale = image.size.width > 0 ? Double(bitmap.width) / image.size.width : 1
        try self.init(bitmap, scale: scale)
    }
}
#endif
