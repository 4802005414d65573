// What Easel uses of MapKit. It stands beside UIKit; the one for AppKit differs by the types of its image and parent.
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
