#if Server
import EaselCore

/// A position from the top left.
struct PixelPosition: Sendable, Hashable {
    var x: Int
    var y: Int
}

extension ProcessingOptions.Gravity {
    /// Returns the position of an area inside of another one.
    ///
    /// - Parameters:
    ///   - inner: the size of the area.
    ///   - outer: the size of the other one.
    ///   - pixelRatio: the factor of offsets in pixels.
    ///   - mayOverlap: whether a part of the area can be outside of the other one.
    func position(
        of inner: PixelSize, in outer: PixelSize, pixelRatio: Double, mayOverlap: Bool = false
    ) -> PixelPosition {
        let position =
            kind == .focusPoint
            ? PixelPosition(
                x: Self.scaled(outer.width, by: x) - inner.width / 2,
                y: Self.scaled(outer.height, by: y) - inner.height / 2)
            : anchored(inner, outer, pixelRatio)
        func bounded(_ value: Int, _ inner: Int, _ outer: Int) -> Int {
            mayOverlap ? max(1 - inner, min(value, outer - 1)) : max(0, min(value, outer - inner))
        }
        return PixelPosition(
            x: bounded(position.x, inner.width, outer.width), y: bounded(position.y, inner.height, outer.height))
    }

    /// Returns the position at an edge, a corner or in the middle, moved inwards by the offsets.
    private func anchored(_ inner: PixelSize, _ outer: PixelSize, _ pixelRatio: Double) -> PixelPosition {
        let offset = offset(on: outer, pixelRatio: pixelRatio)
        func place(_ inner: Int, _ outer: Int, _ offset: Int, atStart: Bool, atEnd: Bool) -> Int {
            if atStart { return offset }
            if atEnd { return outer - inner - offset }
            // An odd pixel is on the side that imgproxy has it on.
            return Int(length: Double(outer - inner + 1) / 2, .toNearestOrEven) + offset
        }
        return PixelPosition(
            x: place(
                inner.width, outer.width, offset.x, atStart: [.west, .northWest, .southWest].contains(kind),
                atEnd: [.east, .northEast, .southEast].contains(kind)),
            y: place(
                inner.height, outer.height, offset.y, atStart: [.north, .northEast, .northWest].contains(kind),
                atEnd: [.south, .southEast, .southWest].contains(kind)))
    }

    /// Returns the offsets in pixels. Numbers between -1 and 1 are shares of a size.
    func offset(on size: PixelSize, pixelRatio: Double) -> PixelPosition {
        func length(_ value: Double, _ side: Int) -> Int {
            abs(value) >= 1 ? Int(length: value * pixelRatio, .toNearestOrEven) : Self.scaled(side, by: value)
        }
        return PixelPosition(x: length(x, size.width), y: length(y, size.height))
    }

    private static func scaled(_ length: Int, by factor: Double) -> Int {
        Int(length: Double(length) * factor, .toNearestOrEven)
    }
}
#endif
