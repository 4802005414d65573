#if canImport(UIKit) || canImport(AppKit)
import ObjectiveC
#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

extension PlatformView {
    /// The image loading of this view: `imageView.easel.setImage(with: url)`.
    public var easel: ViewTarget {
        if let target = objc_getAssociatedObject(self, &ViewTarget.key) as? ViewTarget { return target }
        let target = ViewTarget(self)
        objc_setAssociatedObject(self, &ViewTarget.key, target, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        return target
    }
}

extension ViewTarget {
    /// Only the address is used, as the key.
    fileprivate static var key: UInt8 = 0
}
#endif
