/// The results of one contestant's rounds, in the work's unit.
struct Figures: Encodable {
    var median: Double
    var min: Double
    var max: Double
    /// The peak of bytes that a round takes; `nil` if unknown.
    var memory: Int?
    /// Allocations per operation in this process.
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
