// Views that keep what was set, for tests to inspect.
@_exported public import Foundation
@_exported public import QuartzCore
import ObjectiveC

@MainActor open class UIResponder: NSObject {
    nonisolated public override init() { super.init() }
}

@MainActor open class UIView: UIResponder {
    public struct AnimationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
        public static let transitionFlipFromLeft = AnimationOptions(rawValue: 1 << 20)
        public static let transitionFlipFromRight = AnimationOptions(rawValue: 2 << 20)
        public static let transitionCurlUp = AnimationOptions(rawValue: 3 << 20)
        public static let transitionCurlDown = AnimationOptions(rawValue: 4 << 20)
        public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
        public static let transitionFlipFromTop = AnimationOptions(rawValue: 6 << 20)
        public static let transitionFlipFromBottom = AnimationOptions(rawValue: 7 << 20)
    }

    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1)
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 4)
        public static let flexibleTopMargin = AutoresizingMask(rawValue: 8)
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
        public static let flexibleBottomMargin = AutoresizingMask(rawValue: 32)
    }

    public enum ContentMode: Int, Sendable {
        case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right, topLeft, topRight,
            bottomLeft, bottomRight
    }

    /// A requested transition, which a test ends.
    public struct Transition {
        public let view: UIView
        public let duration: TimeInterval
        public let options: AnimationOptions
        public let end: (Bool) -> Void
    }
    public static var transitions: [Transition] = []

    open var frame: CGRect
    open var bounds: CGRect
    open var center: CGPoint = .zero
    open var alpha: CGFloat = 1
    open var isHidden = false
    open var contentMode = ContentMode.scaleToFill
    open var autoresizingMask: AutoresizingMask = []
    open var traitCollection = UITraitCollection()
    open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    open private(set) var window: UIWindow?
    open private(set) var layer = CALayer()
    /// The number of layout requests.
    public private(set) var layoutRequests = 0

    public init(frame: CGRect) {
        self.frame = frame
        bounds = CGRect(origin: .zero, size: frame.size)
        super.init()
    }

    public required init?(coder: NSCoder) { nil }

    deinit { dropAssociations(of: self) }

    open func addSubview(_ view: UIView) {
        view.superview = self
        subviews.append(view)
    }

    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    open func setNeedsLayout() { layoutRequests += 1 }
    open func layoutSubviews() {}
    open func didMoveToWindow() {}

    /// For tests: moves the view to a window, or removes it from one.
    public func move(to window: UIWindow?) {
        self.window = window
        didMoveToWindow()
    }

    open class func transition(
        with view: UIView, duration: TimeInterval, options: AnimationOptions, animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        animations?()
        transitions.append(
            Transition(view: view, duration: duration, options: options) { completion?($0) })
    }
}

public enum UIUserInterfaceLayoutDirection: Int, Sendable {
    case leftToRight, rightToLeft
}

@MainActor open class UIWindow: UIView {}

@MainActor open class UITraitCollection: NSObject {
    nonisolated public override init() { super.init() }
    open var displayScale: CGFloat = 2
}
