/// How a number is written into an identifier: equal numbers in the same way, others in different ways, whatever the machine.
enum CanonicalNumber {
    /// The shortest text that reads back as `number`; whole numbers without a point, and no negative zero.
    static func text(_ number: Double) -> String {
        if let whole = Int(exactly: number) { return String(whole) }
        return number.description
    }
}

extension Double {
    /// The number within bounds; the lower one for what is no number.
    func bounded(_ bounds: ClosedRange<Double>) -> Double {
        isNaN ? bounds.lowerBound : Swift.min(Swift.max(self, bounds.lowerBound), bounds.upperBound)
    }
}
