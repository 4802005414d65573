extension ImageTransform {
    /// Rounds all corners. A radius of more than half of the shorter side is limited to that.
    ///
    /// - Parameters:
    ///   - radius: in pixels.
    ///   - border: a line along the edge, inside of the image.
    public static func roundedCorners(radius: Double, border: ImageBorder? = nil) -> ImageTransform {
        roundedCorners(CornerRadii(radius), border)
    }

    /// Rounds each corner by a radius in pixels. A radius of more than half of the shorter side is limited to that, and
    /// a negative one is 0.
    public static func roundedCorners(
        topLeft: Double = 0, topRight: Double = 0, bottomLeft: Double = 0, bottomRight: Double = 0,
        border: ImageBorder? = nil
    ) -> ImageTransform {
        let radii = CornerRadii(
            topLeft: topLeft, topRight: topRight, bottomLeft: bottomLeft, bottomRight: bottomRight)
        return roundedCorners(radii, border)
    }

    private static func roundedCorners(_ radii: CornerRadii, _ border: ImageBorder?) -> ImageTransform {
        let line = border.map { ",\($0.text)" } ?? ""
        return ImageTransform("RoundedCorners(\(radii.text)\(line))") { (image, isCancelled) throws(ImageError) in
            try image.roundCorners(radii, border, isCancelled)
        }
    }

    /// Cuts the largest circle out of the middle, on a transparent square.
    public static let circle = circle(nil)

    /// Cuts the largest circle out of the middle, with a line along its edge.
    public static func circle(border: ImageBorder) -> ImageTransform { circle(border) }

    private static func circle(_ border: ImageBorder?) -> ImageTransform {
        let identifier = border.map { "Circle(\($0.text))" } ?? "Circle"
        return ImageTransform(identifier) { (image, isCancelled) throws(ImageError) in
            let square = try image.cropToSquare(isCancelled)
            return try square.roundCorners(CornerRadii(Double(square.size.width) / 2), border, isCancelled)
        }
    }
}

/// The radii of the four corners of an image, in pixels.
private struct CornerRadii: Sendable, Hashable {
    let topLeft: Double
    let topRight: Double
    let bottomLeft: Double
    let bottomRight: Double

    /// Creates radii; a negative one and NaN are 0.
    init(topLeft: Double = 0, topRight: Double = 0, bottomLeft: Double = 0, bottomRight: Double = 0) {
        let bounds = 0.0...1_000_000
        (self.topLeft, self.topRight) = (topLeft.bounded(bounds), topRight.bounded(bounds))
        (self.bottomLeft, self.bottomRight) = (bottomLeft.bounded(bounds), bottomRight.bounded(bounds))
    }

    /// Creates the same radius for all corners.
    init(_ all: Double) {
        self.init(topLeft: all, topRight: all, bottomLeft: all, bottomRight: all)
    }

    func map(_ change: (Double) -> Double) -> CornerRadii {
        CornerRadii(
            topLeft: change(topLeft), topRight: change(topRight), bottomLeft: change(bottomLeft),
            bottomRight: change(bottomRight))
    }

    fileprivate var text: String {
        topLeft == topRight && topLeft == bottomLeft && topLeft == bottomRight
            ? topLeft.canonicalText
            : [topLeft, topRight, bottomLeft, bottomRight].map(\.canonicalText).joined(separator: "/")
    }
}

/// A line along the edge of an image, drawn inside of it.
public struct ImageBorder: Sendable, Hashable {
    let width: Double
    let color: ImageColor

    /// Creates a line of `width` pixels, which may be translucent. A negative width and NaN are 0.
    public init(width: Double, color: ImageColor) {
        self.width = width.bounded(0...1_000_000)
        self.color = color
    }

    fileprivate var text: String { "\(width.canonicalText),\(color)" }
}

extension DecodedImage {
    fileprivate func roundCorners(
        _ radii: CornerRadii, _ border: ImageBorder?, _ isCancelled: () -> Bool
    ) throws(ImageError) -> DecodedImage {
        let half = Double(min(size.width, size.height)) / 2
        let radii = radii.map { min($0, half) }
        let width = min(border?.width ?? 0, half)
        guard width > 0 || radii != CornerRadii(0) else { return self }
        let isOpaque = pixels.isOpaque && radii == CornerRadii(0)
        let outer = RoundedShape(size: size, radii: radii)
        guard width > 0 else {
            return replacing(
                try pixels.cut(to: outer, isCancelled), deep: try deepPixels?.cut(to: outer, isCancelled))
        }
        let inner = RoundedShape(size: size, radii: radii, inset: width)
        let edge = BorderEdge(color: border?.color ?? .clear)
        // A border's color has 8 bits, so that the deep pixels go.
        return replacing(
            try pixels.drawRows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, source, target in
                target.update(from: source[y], count: size.width)
                var outside = [UInt16](repeating: 0, count: size.width)
                var inside = outside
                let covered = outer.cover(row: y, &outside)
                let filled = inner.cover(row: y, &inside)
                for x in 0..<size.width where !filled.contains(x) {
                    let outer = covered.contains(x) ? 255 : Int32(outside[x])
                    target[x] = edge.draw(on: target[x], outer: outer, inner: min(outer, Int32(inside[x])))
                }
            })
    }
}

extension PixelImage {
    fileprivate func cut(to shape: RoundedShape, _ isCancelled: () -> Bool) throws(ImageError) -> Self {
        try drawRows(of: size, isOpaque: false, isCancelled: isCancelled) { y, source, target in
            target.update(from: source[y], count: size.width)
            guard !shape.isWhole(row: y) else { return }
            var shares = [UInt16](repeating: 0, count: size.width)
            let covered = shape.cover(row: y, &shares)
            for x in 0..<size.width where !covered.contains(x) {
                target[x] = Self.scale(target[x], by: UInt32(shares[x]))
            }
        }
    }
}

/// The pixels along a border.
private struct BorderEdge {
    private let color: SIMD4<Int32>
    private let transparency: Int32

    init(color: ImageColor) {
        self.color = PremultipliedPixel.components(color.word)
        transparency = 255 - Int32(color.alpha)
    }

    /// Draws on a pixel: `outer` 255ths of it are inside of the shape, `inner` of them inside of the border. The border
    /// covers the rest; if it is translucent, the image shows through.
    @inline(__always)
    func draw(on pixel: UInt32, outer: Int32, inner: Int32) -> UInt32 {
        let line = outer &- inner
        let image = inner &* 255 &+ line &* transparency
        let sums = PremultipliedPixel.components(pixel) &* image &+ color &* (line &* 255)
        // 255 times 255 and its half; a color's sum never exceeds its alpha's.
        return PremultipliedPixel.word((sums &+ 32_512) / 65_025)
    }
}

/// The coverage of each pixel by a rectangle with round corners.
///
/// Every row of pixels is cut into 16 lines, and the edge crosses a line at a 256th of a pixel. The error of the
/// coverage is less than a 255th where the edge is steep, and a 30th where it is flat.
private struct RoundedShape {
    private static let lines = 16
    private static let one = 256

    private let size: PixelSize
    private let inset: Double
    private let radii: CornerRadii

    /// Creates the shape of an image's whole area, or of the area `inset` pixels further in.
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
        let minimum = max(0, (spans.map(\.left).min() ?? 0) / Self.one)
        let maximum = min(size.width, ((spans.map(\.right).max() ?? 0) + Self.one - 1) / Self.one)
        for x in minimum..<max(minimum, maximum) where !inside.contains(x) {
            var sum = 0
            for span in spans {
                sum += max(0, min(span.right, (x + 1) * Self.one) - max(span.left, x * Self.one))
            }
            coverage[x] = UInt16((sum * 255 + Self.lines * Self.one / 2) / (Self.lines * Self.one))
        }
        return inside
    }

    /// Returns the left and right edge at a height, in 256ths of a pixel; empty outside of the shape.
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

    /// Returns the indent of a corner of this radius at a distance from its edge. IEEE 754 makes square roots exact.
    private static func indent(_ radius: Double, _ distance: Double) -> Double {
        guard distance < radius else { return 0 }
        let rest = radius - distance
        return radius - (radius * radius - rest * rest).squareRoot()
    }
}
