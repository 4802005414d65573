/// Which progress is worth a report: the first, the last, and each that is far enough from the one before (X119).
struct ProgressFilter: Sendable {
    private let interval: Double
    private var lastReceived: Int?

    /// - Parameter interval: the part of the whole, from 0 to 1.
    init(interval: Double) {
        self.interval = min(max(interval.isFinite ? interval : 0, 0), 1)
    }

    /// Whether to report that `received` bytes of `expected` have come.
    mutating func passes(received: Int, expected: Int?) -> Bool {
        let isWorthIt =
            if let lastReceived, let expected, expected > 0, received < expected {
                Double(received - lastReceived) >= Double(expected) * interval
            } else {
                true
            }
        if isWorthIt { lastReceived = received }
        return isWorthIt
    }
}
