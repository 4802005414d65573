extension Double {
    /// The text of the number in an identifier: the shortest that reads back as the number; whole numbers without a
    /// point, and no negative zero.
    var canonicalText: String { Int(exactly: self).map(String.init) ?? description }

    /// Returns the number within bounds, or the lower bound for NaN.
    func bounded(_ bounds: ClosedRange<Double>) -> Double {
        isNaN ? bounds.lowerBound : Swift.min(Swift.max(self, bounds.lowerBound), bounds.upperBound)
    }
}
