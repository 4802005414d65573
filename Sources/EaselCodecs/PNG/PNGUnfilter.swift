import EaselCore

/// Takes back the prediction that each row of a PNG was stored with (PNG 9.2).
enum PNGUnfilter {
    /// Restores one row in place.
    ///
    /// `row` and `previous` have `count` bytes each, and at least 8 more behind them belong to the same block of memory.
    /// The first row of a pass has a `previous` of zeros. `distance` is the bytes of a pixel, at least 1.
    ///
    /// - Throws: `ImageError.badData` for a filter that PNG does not have.
    static func restore(
        _ row: UnsafeMutablePointer<UInt8>, after previous: UnsafePointer<UInt8>, count: Int, distance: Int,
        filter: UInt8
    ) throws(ImageError) {
        switch filter {
        case 0: break
        case 1: sub(row, count, distance)
        case 2: for i in 0..<count { row[i] &+= previous[i] }
        case 3: average(row, previous, count, distance)
        case 4: paeth(row, previous, count, distance)
        default: throw .badData("The PNG's data is damaged: a row has the unknown filter \(filter).")
        }
    }

    private static func sub(_ row: UnsafeMutablePointer<UInt8>, _ count: Int, _ distance: Int) {
        if distance == 4 {
            var left = SIMD4<UInt8>()
            for i in stride(from: 0, to: count, by: 4) {
                left = load4(row + i) &+ left
                store(left, row + i, 4)
            }
        } else {
            for i in stride(from: distance, to: count, by: 1) { row[i] &+= row[i - distance] }
        }
    }

    private static func average(
        _ row: UnsafeMutablePointer<UInt8>, _ previous: UnsafePointer<UInt8>, _ count: Int, _ distance: Int
    ) {
        switch distance {
        case 3: averagePixels(row, previous, count, 3)
        case 4: averagePixels(row, previous, count, 4)
        default:
            for i in 0..<min(distance, count) { row[i] &+= previous[i] >> 1 }
            for i in stride(from: distance, to: count, by: 1) {
                row[i] &+= UInt8(truncatingIfNeeded: (UInt16(row[i - distance]) &+ UInt16(previous[i])) >> 1)
            }
        }
    }

    private static func paeth(
        _ row: UnsafeMutablePointer<UInt8>, _ previous: UnsafePointer<UInt8>, _ count: Int, _ distance: Int
    ) {
        switch distance {
        case 3: paethPixels(row, previous, count, 3)
        case 4: paethPixels(row, previous, count, 4)
        default:
            for i in 0..<min(distance, count) { row[i] &+= previous[i] }
            for i in stride(from: distance, to: count, by: 1) {
                row[i] &+= predict(left: row[i - distance], above: previous[i], corner: previous[i - distance])
            }
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

    /// As `paethPixels`, for the mean of the left and the upper neighbour.
    @inline(__always)
    private static func averagePixels(
        _ row: UnsafeMutablePointer<UInt8>, _ previous: UnsafePointer<UInt8>, _ count: Int, _ distance: Int
    ) {
        var left = SIMD4<UInt16>()
        for i in stride(from: 0, to: count, by: distance) {
            let above = SIMD4<UInt16>(truncatingIfNeeded: load4(previous + i))
            let pixel = load4(row + i) &+ SIMD4<UInt8>(truncatingIfNeeded: (left &+ above) &>> 1)
            store(pixel, row + i, distance)
            left = SIMD4<UInt16>(truncatingIfNeeded: pixel)
        }
    }

    /// A whole pixel at once: each depends on the one before, so there is no wider way.
    ///
    /// Pixels of three bytes are loaded as four: the fourth is inside the block, and is not stored.
    @inline(__always)
    private static func paethPixels(
        _ row: UnsafeMutablePointer<UInt8>, _ previous: UnsafePointer<UInt8>, _ count: Int, _ distance: Int
    ) {
        var left = SIMD4<Int16>()
        var corner = SIMD4<Int16>()
        for i in stride(from: 0, to: count, by: distance) {
            let above = SIMD4<Int16>(truncatingIfNeeded: load4(previous + i))
            let toLeft = above &- corner
            let toAbove = left &- corner
            let distanceLeft = magnitude(toLeft)
            let distanceAbove = magnitude(toAbove)
            let distanceCorner = magnitude(toLeft &+ toAbove)
            let prediction = corner.replacing(with: above, where: distanceAbove .<= distanceCorner)
                .replacing(with: left, where: (distanceLeft .<= distanceAbove) .& (distanceLeft .<= distanceCorner))
            let pixel = load4(row + i) &+ SIMD4<UInt8>(truncatingIfNeeded: prediction)
            store(pixel, row + i, distance)
            left = SIMD4<Int16>(truncatingIfNeeded: pixel)
            corner = above
        }
    }

    @inline(__always)
    private static func magnitude(_ values: SIMD4<Int16>) -> SIMD4<Int16> {
        values.replacing(with: 0 &- values, where: values .< 0)
    }

    @inline(__always)
    private static func load4(_ start: UnsafePointer<UInt8>) -> SIMD4<UInt8> {
        UnsafeRawPointer(start).loadUnaligned(as: SIMD4<UInt8>.self)
    }

    @inline(__always)
    private static func store(_ pixel: SIMD4<UInt8>, _ start: UnsafeMutablePointer<UInt8>, _ distance: Int) {
        if distance == 4 {
            UnsafeMutableRawPointer(start).storeBytes(of: pixel, as: SIMD4<UInt8>.self)
        } else {
            (start[0], start[1], start[2]) = (pixel.x, pixel.y, pixel.z)
        }
    }
}
