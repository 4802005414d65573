import EaselCore

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

/// An image as PNG stores it before compression: straight color, each row predicted by the filter that leaves least.
struct PNGFilteredRows: ~Copyable {
    /// A filter byte and the filtered samples, row after row.
    let memory: ScratchMemory

    /// - Parameter hasAlpha: whether alpha is stored; that of an opaque image need not be.
    init(_ pixels: PixelBuffer, hasAlpha: Bool) throws(ImageError) {
        let channels = hasAlpha ? 4 : 3
        try self.init(pixels.size, bytesPerPixel: channels) { y, row in
            pixels.withRow(y) { line in
                guard let start = line.baseAddress else { return }
                Self.straighten(start, line.count, channels, into: row)
            }
        }
    }

    /// The same of 16 bits a channel.
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
        // The row, the one above it, and a row for each filter: one block.
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
                // Row `y` of `memory`: `count + 1` bytes, as it was allocated for.
                let place = target.advanced(by: y * (count + 1)).assumingMemoryBound(to: UInt8.self)
                place[0] = filter.rawValue
                (place + 1).update(from: candidates + count * Int(filter.rawValue), count: count)
                swap(&row, &previous)
            }
        }
        self.memory = memory
    }

    /// Premultiplied B, G, R, A to straight R, G, B and, with four channels, A.
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

/// Takes back the prediction that each row of a PNG was stored with (PNG 9.2).
enum PNGUnfilter {
    /// Restores one row in place.
    ///
    /// `row` and `previous` have `count` bytes, and `PixelKernels.slack` more. The first row of a pass has a `previous` of
    /// zeros. `distance` is the bytes of a pixel, at least 1.
    ///
    /// - Throws: `ImageError.badData` for a filter that PNG does not have.
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

    /// The neighbour nearest to left + above - corner, in that order where two are equally near.
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
