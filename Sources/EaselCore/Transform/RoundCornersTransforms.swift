extension ImageTransform {
    /// Rounds all corners. A radius of more than half of the shorter side is limited to that.
    ///
    /// - Parameters:
    ///   - radius: in pixels.
    ///   - border: a line along the edge, inside of the image.
    public static func roundedCorners(radius: Double, border: ImageBorder? = nil) -> ImageTransform {
        roundedCorners(CornerRadii(radius), border: border)
    }

    /// Rounds each corner by itself.
    public static func roundedCorners(_ radii: CornerRadii, border: ImageBorder? = nil) -> ImageTransform {
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
public struct CornerRadii: Sendable, Hashable {
    /// At the top left.
    public let topLeft: Double
    /// At the top right.
    public let topRight: Double
    /// At the bottom left.
    public let bottomLeft: Double
    /// At the bottom right.
    public let bottomRight: Double

    /// Radii; a negative one and NaN are 0.
    public init(topLeft: Double = 0, topRight: Double = 0, bottomLeft: Double = 0, bottomRight: Double = 0) {
        let bounds = 0.0...1_000_000
        self.topLeft = topLeft.bounded(bounds)
        self.topRight = topRight.bounded(bounds)
        self.bottomLeft = bottomLeft.bounded(bounds)
        self.bottomRight = bottomRight.bounded(bounds)
    }

    /// The same radius for all corners.
    public init(_ all: Double) {
        self.init(topLeft: all, topRight: all, bottomLeft: all, bottomRight: all)
    }

    /// Returns the radii changed one by one.
    func map(_ change: (Double) -> Double) -> CornerRadii {
        CornerRadii(
            topLeft: change(topLeft), topRight: change(topRight), bottomLeft: change(bottomLeft),
            bottomRight: change(bottomRight))
    }

    fileprivate var text: String {
        topLeft == topRight && topLeft == bottomLeft && topLeft == bottomRight
            ? CanonicalNumber.text(topLeft)
            : [topLeft, topRight, bottomLeft, bottomRight].map(CanonicalNumber.text).joined(separator: "/")
    }
}

/// A line along the edge of an image, drawn inside of it.
public struct ImageBorder: Sendable, Hashable {
    /// Pixels across.
    public let width: Double
    /// Its color, which may be translucent.
    public let color: ImageColor

    /// A line; a negative width and NaN are 0.
    public init(width: Double, color: ImageColor) {
        self.width = width.bounded(0...1_000_000)
        self.color = color
    }

    fileprivate var text: String { "\(CanonicalNumber.text(width)),\(color)" }
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
        let inner = RoundedShape(size: size, radii: radii, inset: width)
        let edge = BorderEdge(color: border?.color ?? .clear)
        let rounded = try pixels.remade(size, isOpaque: isOpaque, isCancelled: isCancelled) { y, source, target in
            target.update(from: source[y], count: size.width)
            if width == 0, outer.isWhole(row: y) { return }
            var outside = [UInt16](repeating: 0, count: size.width)
            let covered = outer.cover(row: y, &outside)
            guard width > 0 else {
                for x in 0..<size.width where !covered.contains(x) {
                    target[x] = PremultipliedPixel.scaled(target[x], by: UInt32(outside[x]))
                }
                return
            }
            var inside = [UInt16](repeating: 0, count: size.width)
            let filled = inner.cover(row: y, &inside)
            for x in 0..<size.width where !filled.contains(x) {
                let outer = covered.contains(x) ? 255 : Int32(outside[x])
                target[x] = edge.draw(on: target[x], outer: outer, inner: min(outer, Int32(inside[x])))
            }
        }
        // A border's color has 8 bits.
        return replacing(rounded, deep: width > 0 ? nil : try deepPixels?.cut(to: outer, isCancelled: isCancelled))
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

    /// `outer` 255ths of the pixel are inside of the shape, `inner` of them inside of the border. The border covers the rest;
    /// if it is translucent, the image shows through.
    @inline(__always)
    func draw(on pixel: UInt32, outer: Int32, inner: Int32) -> UInt32 {
        let line = outer &- inner
        let image = inner &* 255 &+ line &* transparency
        let sums = PremultipliedPixel.components(pixel) &* image &+ color &* (line &* 255)
        // 255 times 255 and its half; a color's sum never exceeds its alpha's.
        return PremultipliedPixel.word((sums &+ 32_512) / 65_025)
    }
}
