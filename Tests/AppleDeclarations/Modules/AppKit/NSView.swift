// Views that keep what was set, for tests to inspect.
@_exported public import Foundation
@_exported public import QuartzCore
public import ObjectiveC

public typealias NSRect = CGRect
public typealias NSSize = CGSize

@MainActor open class NSResponder: NSObject {
    nonisolated public override init() { super.init() }
}

@MainActor open class NSView: NSResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let minXMargin = AutoresizingMask(rawValue: 1)
        public static let width = AutoresizingMask(rawValue: 2)
        public static let maxXMargin = AutoresizingMask(rawValue: 4)
        public static let minYMargin = AutoresizingMask(rawValue: 8)
        public static let height = AutoresizingMask(rawValue: 16)
        public static let maxYMargin = AutoresizingMask(rawValue: 32)
    }

    open var frame: NSRect
    open var bounds: NSRect
    open var isHidden = false
    open var wantsLayer = false {
        didSet { layer = wantsLayer ? layer ?? CALayer() : nil }
    }
    open var layer: CALayer?
    open var needsLayout = false
    open var userInterfaceLayoutDirection = NSUserInterfaceLayoutDirection.leftToRight
    open var autoresizingMask: AutoresizingMask = []
    open private(set) var subviews: [NSView] = []
    open private(set) unowned(unsafe) var superview: NSView?
    open private(set) var window: NSWindow?

    public init(frame: NSRect) {
        self.frame = frame
        bounds = NSRect(origin: .zero, size: frame.size)
        super.init()
    }

    public required init?(coder: NSCoder) { nil }

    deinit { dropAssociations(of: self) }

    open func addSubview(_ view: NSView) {
        view.superview = self
        subviews.append(view)
    }

    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    open func layout() {}
    open func viewDidMoveToWindow() {}
    open func convertToBacking(_ rectangle: NSRect) -> NSRect {
        let scale = window?.backingScaleFactor ?? 1
        return NSRect(x: 0, y: 0, width: rectangle.width * scale, height: rectangle.height * scale)
    }

    /// For tests: moves the view to a window, or removes it from one.
    public func move(to window: NSWindow?) {
        self.window = window
        viewDidMoveToWindow()
    }
}

@MainActor open class NSWindow: NSResponder {
    open var backingScaleFactor: CGFloat = 2
}

@MainActor open class NSScreen: NSObject {
    open class var main: NSScreen? { NSScreen() }
    open func displayLink(target: Any, selector: Selector) -> CADisplayLink {
        CADisplayLink(target: target, selector: selector)
    }
}

@MainActor open class NSApplication: NSResponder {
    public class var didHideNotification: NSNotification.Name {
        NSNotification.Name("NSApplicationDidHideNotification")
    }
}

public enum NSUserInterfaceLayoutDirection: Int, Sendable {
    case leftToRight, rightToLeft
}
