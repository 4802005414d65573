extension Duration {
    /// In whole milliseconds, rounded.
    var milliseconds: Int { units(perSecond: 1000) }

    /// In units of which a second has so many, rounded.
    func units(perSecond count: Int) -> Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * count + Int((Double(attoseconds) * 1e-18 * Double(count)).rounded())
    }
}
