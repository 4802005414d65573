/// How far the four corners of a picture are rounded, in pixels.
public struct CornerRadii: Sendable, Hashable {
    /// At the top left.
    public let topLeft: Double
    /// At the top right.
    public let topRight: Double
    /// At the bottom left.
    public let bottomLeft: Double
    /// At the bottom right.
    public let bottomRight: Double

    /// Radii; a negative one, and one that is no number, is 0.
    public init(topLeft: Double = 0, topRight: Double = 0, bottomLeft: Double = 0, bottomRight: Double = 0) {
        self.topLeft = topLeft.bounded(Self.bounds)
        self.topRight = topRight.bounded(Self.bounds)
        self.bottomLeft = bottomLeft.bounded(Self.bounds)
        self.bottomRight = bottomRight.bounded(Self.bounds)
    }

    /// The same for all corners.
    public init(_ all: Double) {
        self.init(topLeft: all, topRight: all, bottomLeft: all, bottomRight: all)
    }

    private static let bounds = 0.0...1_000_000

    /// No radius above `limit`: half of the shorter side (X183).
    func limited(to limit: Double) -> CornerRadii {
        CornerRadii(
            topLeft: min(topLeft, limit), topRight: min(topRight, limit), bottomLeft: min(bottomLeft, limit),
            bottomRight: min(bottomRight, limit))
    }

    /// The radii of the same shape, `width` further in.
    func inset(by width: Double) -> CornerRadii {
        CornerRadii(
            topLeft: topLeft - width, topRight: topRight - width, bottomLeft: bottomLeft - width,
            bottomRight: bottomRight - width)
    }

    var text: String {
        topLeft == topRight && topLeft == bottomLeft && topLeft == bottomRight
            ? CanonicalNumber.text(topLeft)
            : [topLeft, topRight, bottomLeft, bottomRight].map(CanonicalNumber.text).joined(separator: "/")
    }
}

/// A line along the edge of a picture, drawn inside of it.
public struct ImageBorder: Sendable, Hashable {
    /// Pixels across.
    public let width: Double
    /// Its colour, which may be translucent.
    public let color: ImageColor

    /// A line; a width that is negative or no number is 0.
    public init(width: Double, color: ImageColor) {
        self.width = width.bounded(0...1_000_000)
        self.color = color
    }
}
