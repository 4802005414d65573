/// The predictions that a PNG row may be stored with (PNG 9.2).
enum PNGFilter: UInt8, CaseIterable {
    case none = 0
    case sub = 1
    case up = 2
    case average = 3
    case paeth = 4

    /// The filter that leaves the smallest differences, by the sum of their sizes, which is what PNG 12.7 recommends.
    ///
    /// `row` and `previous` have `count` bytes, `candidates` has room for that many for each filter, in the order of
    /// their numbers; all are filled.
    static func best(
        _ row: UnsafePointer<UInt8>, _ previous: UnsafePointer<UInt8>, candidates: UnsafeMutablePointer<UInt8>,
        count: Int, distance: Int
    ) -> PNGFilter {
        var best = PNGFilter.none
        var least = Int.max
        for filter in allCases {
            let candidate = candidates + count * Int(filter.rawValue)
            filter.apply(row, previous, into: candidate, count: count, distance: distance)
            let sum = sumOfSizes(candidate, count)
            if sum < least { (least, best) = (sum, filter) }
        }
        return best
    }

    private func apply(
        _ row: UnsafePointer<UInt8>, _ previous: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>,
        count: Int, distance: Int
    ) {
        // To the left of the row everything is 0.
        let edge = min(distance, count)
        switch self {
        case .none:
            output.update(from: row, count: count)
        case .sub:
            for i in 0..<edge { output[i] = row[i] }
            for i in edge..<count { output[i] = row[i] &- row[i &- distance] }
        case .up:
            for i in 0..<count { output[i] = row[i] &- previous[i] }
        case .average:
            for i in 0..<edge { output[i] = row[i] &- previous[i] >> 1 }
            for i in edge..<count {
                let mean = (UInt16(row[i &- distance]) &+ UInt16(previous[i])) >> 1
                output[i] = row[i] &- UInt8(truncatingIfNeeded: mean)
            }
        case .paeth:
            for i in 0..<edge { output[i] = row[i] &- previous[i] }
            for i in edge..<count {
                output[i] =
                    row[i]
                    &- PNGUnfilter.predict(
                        left: row[i &- distance], above: previous[i], corner: previous[i &- distance])
            }
        }
    }

    /// Differences count as signed: 255 is as small as 1.
    private static func sumOfSizes(_ differences: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var sum = 0
        for i in 0..<count { sum &+= Int(Int8(bitPattern: differences[i]).magnitude) }
        return sum
    }
}
