extension Duration {
    /// In whole milliseconds, rounded up so that nothing is called late too early; between 1 and 24 days' worth.
    var wholeMilliseconds: Int {
        let limit = Int(Int32.max)
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 1 }
        guard seconds < limit / 1000 else { return limit }
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return max(1, Int(seconds) * 1000 + Int(rest))
    }
}
