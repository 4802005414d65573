import EaselCore

/// The filter types of a PNG row (PNG 9.2).
enum PNGFilter: UInt8, CaseIterable {
    case none = 0
    case sub = 1
    case up = 2
    case average = 3
    case paeth = 4

    /// Returns the filter with the smallest sum of absolute differences, the heuristic of PNG 12.7.
    ///
    /// `row` and `previous` have `count` bytes. `candidates` receives `count` bytes for each filter, in numeric order.
    static func best(
        _ row: UnsafePointer<UInt8>, _ previous: UnsafePointer<UInt8>, candidates: UnsafeMutablePointer<UInt8>,
        count: Int, distance: Int
    ) -> PNGFilter {
        var best = PNGFilter.none
        var minimum = Int.max
        for filter in allCases {
            let candidate = candidates + count * Int(filter.rawValue)
            filter.apply(row, previous, into: candidate, count: count, distance: distance)
            let sum = sumOfSizes(candidate, count)
            if sum < minimum { (minimum, best) = (sum, filter) }
        }
        return best
    }

    private func apply(
        _ row: UnsafePointer<UInt8>, _ previous: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>,
        count: Int, distance: Int
    ) {
        // Pixels to the left of the row count as 0.
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
                let (left, corner) = (row[i &- distance], previous[i &- distance])
                output[i] = row[i] &- Self.predict(left: left, above: previous[i], corner: corner)
            }
        }
    }

    /// Returns the sum of the differences as signed values: 255 is as small as 1.
    private static func sumOfSizes(_ differences: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var sum = 0
        for i in 0..<count { sum &+= Int(Int8(bitPattern: differences[i]).magnitude) }
        return sum
    }

    /// Returns the neighbor nearest to left + above - corner. Ties prefer that order.
    @inline(__always)
    private static func predict(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        let toLeft = Int16(above) &- Int16(corner)
        let toAbove = Int16(left) &- Int16(corner)
        let distanceLeft = abs(toLeft)
        let distanceAbove = abs(toAbove)
        let distanceCorner = abs(toLeft &+ toAbove)
        if distanceLeft <= distanceAbove && distanceLeft <= distanceCorner { return left }
        return distanceAbove <= distanceCorner ? above : corner
    }

    /// Reverses the filter of one row in place.
    ///
    /// `row` and `previous` have `count` bytes plus `PixelKernels.slack`. For the first row of a pass, `previous` is
    /// all zeros. `distance` is the byte count of a pixel, at least 1.
    ///
    /// - Throws: `ImageError.badData` for an unknown filter.
    static func restore(
        _ row: UnsafeMutableRawBufferPointer, after previous: UnsafeRawBufferPointer, count: Int, distance: Int,
        filter: UInt8
    ) throws(ImageError) {
        guard let known = PNGFilter(rawValue: filter) else { throw .damaged }
        guard known != .none else { return }
        PixelKernels.best.unfilter(Int(filter), row, after: previous, count: count, distance: distance)
    }

    /// Returns the rows of an image for compression, each with its best filter: the filter byte and the filtered
    /// samples.
    ///
    /// - Parameter read: writes the samples of a row.
    static func rows(
        of size: PixelSize, bytesPerPixel: Int, read: (_ y: Int, _ row: UnsafeMutablePointer<UInt8>) -> Void
    ) throws(ImageError) -> ScratchMemory {
        let count = size.width * bytesPerPixel
        let memory = try ScratchMemory(count: size.height * (count + 1), for: size)
        // One block for the row, the row above, and one row for each filter.
        let work = try ScratchMemory(count: count * (2 + allCases.count), for: size)
        guard let target = memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            var row = work.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return memory }
        var previous = row + count
        let candidates = row + count * 2
        previous.update(repeating: 0, count: count)
        for y in 0..<size.height {
            read(y, row)
            let filter = best(row, previous, candidates: candidates, count: count, distance: bytesPerPixel)
            // Row `y` of `memory`, which was allocated with `count + 1` bytes per row.
            let output = target + y * (count + 1)
            output[0] = filter.rawValue
            (output + 1).update(from: candidates + count * Int(filter.rawValue), count: count)
            swap(&row, &previous)
        }
        return memory
    }
}
