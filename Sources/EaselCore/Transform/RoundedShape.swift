/// The coverage of each pixel by a rectangle with round corners.
///
/// Every row of pixels is cut into 16 lines, and the edge crosses a line at a 256th of a pixel. The error of the coverage is
/// less than a 255th where the edge is steep, and a 30th where it is flat.
struct RoundedShape {
    private static let lines = 16
    private static let one = 256

    private let size: PixelSize
    private let inset: Double
    private let radii: CornerRadii

    /// An image's whole area, or the area `inset` pixels further in.
    init(size: PixelSize, radii: CornerRadii, inset: Double = 0) {
        self.size = size
        self.inset = inset
        self.radii = inset > 0 ? radii.map { $0 - inset } : radii
    }

    /// Returns whether no corner reaches into row `y` of a shape that is not inset.
    func isWhole(row y: Int) -> Bool {
        Double(y) >= max(radii.topLeft, radii.topRight)
            && Double(size.height - y - 1) >= max(radii.bottomLeft, radii.bottomRight)
    }

    /// Returns the columns of row `y` that are wholly inside, and writes the coverage of the others in 255ths.
    ///
    /// - Parameter coverage: a zero for each column of the image.
    func cover(row y: Int, _ coverage: inout [UInt16]) -> Range<Int> {
        var (insideLeft, insideRight) = (0, size.width)
        var spans: [(left: Int, right: Int)] = []
        for line in 0..<Self.lines {
            let height = Double(y) + (Double(line) + 0.5) / Double(Self.lines)
            let span = span(at: height)
            spans.append(span)
            insideLeft = max(insideLeft, (span.left + Self.one - 1) / Self.one)
            insideRight = min(insideRight, span.right / Self.one)
        }
        let inside = insideLeft..<max(insideLeft, insideRight)
        let least = max(0, (spans.map(\.left).min() ?? 0) / Self.one)
        let most = min(size.width, ((spans.map(\.right).max() ?? 0) + Self.one - 1) / Self.one)
        for x in least..<max(least, most) where !inside.contains(x) {
            var sum = 0
            for span in spans {
                sum += max(0, min(span.right, (x + 1) * Self.one) - max(span.left, x * Self.one))
            }
            coverage[x] = UInt16((sum * 255 + Self.lines * Self.one / 2) / (Self.lines * Self.one))
        }
        return inside
    }

    /// The left and right edge at a height, in 256ths of a pixel; empty outside of the shape.
    private func span(at height: Double) -> (left: Int, right: Int) {
        let (top, bottom) = (inset, Double(size.height) - inset)
        guard height > top, height < bottom else { return (0, 0) }
        let left = max(
            Self.indent(radii.topLeft, height - top), Self.indent(radii.bottomLeft, bottom - height))
        let right = max(
            Self.indent(radii.topRight, height - top), Self.indent(radii.bottomRight, bottom - height))
        let start = Int(((inset + left) * Double(Self.one)).rounded())
        let end = size.width * Self.one - Int(((inset + right) * Double(Self.one)).rounded())
        return start < end ? (start, end) : (0, 0)
    }

    /// The indent of a corner of this radius at a distance from its edge. IEEE 754 makes square roots exact.
    private static func indent(_ radius: Double, _ distance: Double) -> Double {
        guard distance < radius else { return 0 }
        let rest = radius - distance
        return radius - (radius * radius - rest * rest).squareRoot()
    }
}
