// The part of MapKit that Easel uses. For AppKit, its image and superclass have other types.
#if canImport(UIKit)
@_exported public import UIKit

@MainActor open class MKAnnotationView: UIView {
    open var image: UIImage?
}
#else
@_exported public import AppKit

@MainActor open class MKAnnotationView: NSView {
    open var image: NSImage?
}
#endif
