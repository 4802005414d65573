#if canImport(UIKit)
public import EaselApple
public import UIKit

/// A spinner in the centre of a view that loads.
public final class ActivityIndicator: ViewIndicator {
    /// UIKit's spinner.
    public let spinner: UIActivityIndicatorView
    /// UIKit's spinner.
    public var view: UIView { spinner }

    /// Creates a spinner with a size and a colour, by default the system's.
    public init(_ style: UIActivityIndicatorView.Style = .medium, color: UIColor? = nil) {
        spinner = UIActivityIndicatorView(style: style)
        spinner.hidesWhenStopped = true
        if let color { spinner.color = color }
    }

    /// Starts the animation.
    public func start() { spinner.startAnimating() }
    /// Stops the animation and hides the spinner.
    public func stop() { spinner.stopAnimating() }
}

/// A progress bar of the download.
public final class ProgressIndicator: ViewIndicator {
    /// UIKit's progress bar.
    public let bar: UIProgressView
    /// UIKit's progress bar.
    public var view: UIView { bar }

    /// Creates a bar with a style.
    public init(_ style: UIProgressView.Style = .default) {
        bar = UIProgressView(progressViewStyle: style)
        bar.isHidden = true
    }

    /// Shows the bar without progress.
    public func start() {
        bar.setProgress(0, animated: false)
        bar.isHidden = false
    }

    /// Hides the bar.
    public func stop() { bar.isHidden = true }

    /// Updates the progress.
    public func update(fraction: Double) { bar.setProgress(Float(fraction), animated: fraction > 0) }
}
#endif
