import EaselCore

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
