// The part of Core Animation that Easel uses.
@_exported public import CoreGraphics
public import ObjectiveC

public typealias CFTimeInterval = Double

public func CACurrentMediaTime() -> CFTimeInterval { ProcessInfo.processInfo.systemUptime }

/// A layer that records its animations.
open class CALayer: NSObject {
    public private(set) var animations: [String: CAAnimation] = [:]
    open var contents: Any?

    open func add(_ animation: CAAnimation, forKey key: String?) { animations[key ?? ""] = animation }
    open func removeAnimation(forKey key: String) { animations[key] = nil }
}

open class CAAnimation: NSObject {
    open var duration: CFTimeInterval = 0
    open var timingFunction: CAMediaTimingFunction?
}

public struct CATransitionType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let fade = CATransitionType(rawValue: "fade")
    public static let moveIn = CATransitionType(rawValue: "moveIn")
}

public struct CATransitionSubtype: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let fromLeft = CATransitionSubtype(rawValue: "fromLeft")
    public static let fromRight = CATransitionSubtype(rawValue: "fromRight")
    public static let fromTop = CATransitionSubtype(rawValue: "fromTop")
    public static let fromBottom = CATransitionSubtype(rawValue: "fromBottom")
}

open class CATransition: CAAnimation {
    open var type = CATransitionType.fade
    open var subtype: CATransitionSubtype?
}

public struct CAMediaTimingFunctionName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let easeInEaseOut = CAMediaTimingFunctionName(rawValue: "easeInEaseOut")
}

open class CAMediaTimingFunction: NSObject {
    public init(name: CAMediaTimingFunctionName) {}
}

/// A transaction that keeps completion blocks until a test calls them.
open class CATransaction: NSObject {
    public nonisolated(unsafe) static var pending: [() -> Void] = []

    open class func begin() {}
    open class func commit() {}
    open class func setCompletionBlock(_ block: (() -> Void)?) {
        if let block { pending.append(block) }
    }
}

/// A display link that never fires.
open class CADisplayLink: NSObject {
    open var isPaused = false
    open private(set) var targetTimestamp: CFTimeInterval = 0

    public init(target: Any, selector: Selector) {}

    open func add(to loop: RunLoop, forMode mode: RunLoop.Mode) {}
    open func invalidate() {}
}
