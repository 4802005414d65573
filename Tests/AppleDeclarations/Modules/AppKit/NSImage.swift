open class NSImage: NSObject {
    private let image: CGImage?
    open var size: NSSize

    public init(cgImage: CGImage, size: NSSize) {
        image = cgImage
        self.size = size
    }

    open func cgImage(
        forProposedRect rectangle: UnsafeMutablePointer<NSRect>?, context: NSGraphicsContext?,
        hints: [NSImageRep.HintKey: Any]?
    ) -> CGImage? { image }
}

open class NSGraphicsContext: NSObject {}

open class NSImageRep: NSObject {
    public struct HintKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

public enum NSImageScaling: UInt, Sendable {
    case scaleProportionallyDown, scaleAxesIndependently, scaleNone, scaleProportionallyUpOrDown
}

@MainActor open class NSControl: NSView {}

@MainActor open class NSImageView: NSControl {
    open var image: NSImage? {
        didSet { shown.append(image) }
    }
    open var imageScaling = NSImageScaling.scaleProportionallyDown
    /// For tests: every image that was set, in order.
    public private(set) var shown: [NSImage?] = []
}

@MainActor open class NSButton: NSControl {
    open var image: NSImage?
    open var alternateImage: NSImage?
    open var imageScaling = NSImageScaling.scaleNone
}

@MainActor open class NSProgressIndicator: NSView {
    public enum Style: UInt, Sendable {
        case bar, spinning
    }

    open var style = Style.bar
    open var isIndeterminate = true
    open var isDisplayedWhenStopped = true
    open var doubleValue = 0.0
    open var minValue = 0.0
    open var maxValue = 100.0
    public private(set) var isAnimating = false

    open func sizeToFit() {}
    open func startAnimation(_ sender: Any?) { isAnimating = true }
    open func stopAnimation(_ sender: Any?) { isAnimating = false }
}
