#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import EaselApple

/// A spinner or progress bar in the centre of a view that loads.
public final class ProgressIndicator: ViewIndicator {
    /// AppKit's indicator.
    public let indicator: NSProgressIndicator
    /// AppKit's indicator.
    public var view: NSView { indicator }

    /// Creates an indicator with a style. A bar is 100 points long.
    public init(_ style: NSProgressIndicator.Style = .spinning) {
        let size = style == .bar ? NSSize(width: 100, height: 20) : NSSize(width: 32, height: 32)
        indicator = NSProgressIndicator(frame: NSRect(origin: .zero, size: size))
        indicator.style = style
        indicator.isIndeterminate = true
        indicator.isHidden = true
        indicator.maxValue = 1
    }

    /// Shows and starts the indicator.
    public func start() {
        indicator.isIndeterminate = true
        indicator.doubleValue = 0
        indicator.isHidden = false
        indicator.startAnimation(nil)
    }

    /// Hides the indicator.
    public func stop() {
        indicator.stopAnimation(nil)
        indicator.isHidden = true
    }

    /// Updates the progress when the total is known.
    public func update(fraction: Double) {
        guard fraction > 0, indicator.style == .bar else { return }
        indicator.isIndeterminate = false
        indicator.doubleValue = fraction
    }
}
#endif
