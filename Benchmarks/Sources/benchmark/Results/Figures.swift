/// What the rounds of one contestant gave, in the work's unit.
struct Figures: Encodable {
    var median: Double
    var min: Double
    var max: Double
    /// Bytes that a round took at most; `nil` where that is not known.
    var memory: Int?
    /// Allocations an operation, of those in this process.
    var allocations: Double?

    init(_ rounds: [Double], memory: Int? = nil, allocations: Double? = nil) {
        let sorted = rounds.sorted()
        let middle = sorted.count / 2
        median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        min = sorted[0]
        max = sorted[sorted.count - 1]
        self.memory = memory
        self.allocations = allocations
    }
}
