// value of optional type 'CALayer?' must be unwrapped to refer to member 'add' of wrapped base type 'CALayer'
import AppKit
import QuartzCore

@MainActor func mistake(_ view: NSView) {
    view.layer.add(CATransition(), forKey: nil)
}
