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
                output[i] =
                    row[i]
                    &- PNGUnfilter.predict(
                        left: row[i &- distance], above: previous[i], corner: previous[i &- distance])
            }
        }
    }

    /// Returns the sum of the differences as signed values: 255 is as small as 1.
    private static func sumOfSizes(_ differences: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var sum = 0
        for i in 0..<count { sum &+= Int(Int8(bitPattern: differences[i]).magnitude) }
        return sum
    }
}

/// The uncompressed data of a PNG image: straight colors, with the best filter for each row.
struct PNGFilteredRows: ~Copyable {
    /// The rows, each a filter byte followed by the filtered samples.
    let memory: ScratchMemory

    /// - Parameter hasAlpha: whether to store alpha. Opaque images need none.
    init(_ pixels: PixelBuffer, hasAlpha: Bool) throws(ImageError) {
        let channels = hasAlpha ? 4 : 3
        try self.init(pixels.size, bytesPerPixel: channels) { y, row in
            pixels.withRow(y) { line in
                guard let start = line.baseAddress else { return }
                Self.straighten(start, line.count, channels, into: row)
            }
        }
    }

    /// Creates rows with 16 bits a channel.
    init(_ pixels: DeepPixelBuffer, hasAlpha: Bool) throws(ImageError) {
        let channels = hasAlpha ? 4 : 3
        try self.init(pixels.size, bytesPerPixel: channels * 2) { y, row in
            pixels.copyStraightRow(y, channels: channels, into: row)
        }
    }

    /// - Parameter read: writes the samples of a row.
    private init(
        _ size: PixelSize, bytesPerPixel: Int, read: (_ y: Int, _ row: UnsafeMutablePointer<UInt8>) -> Void
    ) throws(ImageError) {
        let count = size.width * bytesPerPixel
        let memory = try ScratchMemory(count: size.height * (count + 1), for: size)
        // One block for the row, the row above, and one row for each filter.
        let work = try ScratchMemory(count: count * (2 + PNGFilter.allCases.count), for: size)
        if let target = memory.bytes.baseAddress, let block = work.bytes.baseAddress {
            var row = block.assumingMemoryBound(to: UInt8.self)
            var previous = row + count
            let candidates = row + count * 2
            previous.update(repeating: 0, count: count)
            for y in 0..<size.height {
                read(y, row)
                let filter = PNGFilter.best(
                    row, previous, candidates: candidates, count: count, distance: bytesPerPixel)
                // Row `y` of `memory`, which was allocated with `count + 1` bytes a row.
                let place = target.advanced(by: y * (count + 1)).assumingMemoryBound(to: UInt8.self)
                place[0] = filter.rawValue
                (place + 1).update(from: candidates + count * Int(filter.rawValue), count: count)
                swap(&row, &previous)
            }
        }
        self.memory = memory
    }

    /// Converts premultiplied B, G, R, A to straight R, G, B and, with four channels, A.
    private static func straighten(
        _ pixels: UnsafePointer<UInt32>, _ width: Int, _ channels: Int, into row: UnsafeMutablePointer<UInt8>
    ) {
        if channels == 3 {
            for x in 0..<width {
                row[x &* 3] = UInt8(truncatingIfNeeded: pixels[x] >> 16)
                row[x &* 3 &+ 1] = UInt8(truncatingIfNeeded: pixels[x] >> 8)
                row[x &* 3 &+ 2] = UInt8(truncatingIfNeeded: pixels[x])
            }
            return
        }
        for x in 0..<width {
            let pixel = PackedPixel.straight(pixels[x])
            let place = row + x &* 4
            place[0] = UInt8(truncatingIfNeeded: pixel >> 16)
            place[1] = UInt8(truncatingIfNeeded: pixel >> 8)
            place[2] = UInt8(truncatingIfNeeded: pixel)
            place[3] = UInt8(truncatingIfNeeded: pixel >> 24)
        }
    }
}

/// Reverses the filters of PNG rows (PNG 9.2).
enum PNGUnfilter {
    /// Restores one row in place.
    ///
    /// `row` and `previous` have `count` bytes plus `PixelKernels.slack`. For the first row of a pass, `previous` is
    /// all zeros. `distance` is the byte count of a pixel, at least 1.
    ///
    /// - Throws: `ImageError.badData` for an unknown filter.
    static func restore(
        _ row: UnsafeMutableRawBufferPointer, after previous: UnsafeRawBufferPointer, count: Int, distance: Int,
        filter: UInt8
    ) throws(ImageError) {
        switch filter {
        case 0: break
        case 1...4: PixelKernels.best.unfilter(Int(filter), row, after: previous, count: count, distance: distance)
        default: throw .badData("The PNG's data is damaged: a row has the unknown filter \(filter).")
        }
    }

    /// Returns the neighbor nearest to left + above - corner. Ties prefer that order.
    @inline(__always)
    static func predict(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        let toLeft = Int16(above) &- Int16(corner)
        let toAbove = Int16(left) &- Int16(corner)
        let distanceLeft = abs(toLeft)
        let distanceAbove = abs(toAbove)
        let distanceCorner = abs(toLeft &+ toAbove)
        if distanceLeft <= distanceAbove && distanceLeft <= distanceCorner { return left }
        return distanceAbove <= distanceCorner ? above : corner
    }
}
