#if canImport(UIKit)
public import EaselApple
public import UIKit

/// A spinner, in the middle of a view that loads.
public final class ActivityIndicator: ViewIndicator {
    /// UIKit's spinner.
    public let spinner: UIActivityIndicatorView
    /// UIKit's spinner.
    public var view: UIView { spinner }

    /// A spinner of this size, in this colour or the system's.
    public init(_ style: UIActivityIndicatorView.Style = .medium, color: UIColor? = nil) {
        spinner = UIActivityIndicatorView(style: style)
        spinner.hidesWhenStopped = true
        if let color { spinner.color = color }
    }

    /// Turns.
    public func start() { spinner.startAnimating() }
    /// Stands still, out of sight.
    public func stop() { spinner.stopAnimating() }
}

/// A bar that fills as the file comes.
public final class ProgressIndicator: ViewIndicator {
    /// UIKit's bar.
    public let bar: UIProgressView
    /// UIKit's bar.
    public var view: UIView { bar }

    /// A bar of this style.
    public init(_ style: UIProgressView.Style = .default) {
        bar = UIProgressView(progressViewStyle: style)
        bar.isHidden = true
    }

    /// Appears, empty.
    public func start() {
        bar.setProgress(0, animated: false)
        bar.isHidden = false
    }

    /// Goes out of sight.
    public func stop() { bar.isHidden = true }

    /// Fills.
    public func update(fraction: Double) { bar.setProgress(Float(fraction), animated: fraction > 0) }
}
#endif
