/// Shows that a target is loading: a spinner, or a bar (S045, X195).
///
/// A target has none until one is given to `ImageTarget.indicator`. It starts between the placeholder and the load (S027, X194),
/// and stops before what came is shown (S028). Where several slots load at once, it runs from the first to the last of them.
@MainActor
public protocol LoadIndicator: AnyObject {
    /// A load has begun.
    func start()
    /// None is under way any more.
    func stop()
    /// How far the slot that began last is: from 0 to 1, and 0 while the total is unknown (X192).
    func update(fraction: Double)
}

extension LoadIndicator {
    /// Shows nothing of it: a spinner.
    public func update(fraction: Double) {}
}
