/// Rounds a picture's corners, and draws a line along its edge.
struct RoundCornersTransform: ImageTransforming {
    let radii: CornerRadii
    let border: ImageBorder?

    var identifier: String {
        let line = border.map { ",\(CanonicalNumber.text($0.width)),\($0.color)" } ?? ""
        return "RoundedCorners(\(radii.text)\(line))"
    }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let half = Double(min(image.size.width, image.size.height)) / 2
        let radii = radii.limited(to: half)
        let width = min(border?.width ?? 0, half)
        guard width > 0 || radii != CornerRadii(0) else { return image }
        let isOpaque = image.pixels.isOpaque && radii == CornerRadii(0)
        let outer = RoundedShape(size: image.size, radii: radii)
        let inner = RoundedShape(size: image.size, radii: radii, inset: width)
        let edge = BorderEdge(color: border?.color ?? .clear)
        let pixels = try image.pixels.remade(image.size, isOpaque: isOpaque, isCancelled: isCancelled) {
            y, source, target in
            target.update(from: source[y], count: image.size.width)
            // Most rows are whole.
            if width == 0, outer.isWhole(row: y) { return }
            var outside = [UInt16](repeating: 0, count: image.size.width)
            let covered = outer.cover(row: y, &outside)
            guard width > 0 else {
                for x in 0..<image.size.width where !covered.contains(x) {
                    target[x] = PremultipliedPixel.scaled(target[x], by: UInt32(outside[x]))
                }
                return
            }
            var inside = [UInt16](repeating: 0, count: image.size.width)
            let filled = inner.cover(row: y, &inside)
            for x in 0..<image.size.width where !filled.contains(x) {
                let outer = covered.contains(x) ? 255 : Int32(outside[x])
                target[x] = edge.drawn(on: target[x], outer: outer, inner: min(outer, Int32(inside[x])))
            }
        }
        // A border's colour is one of 8 bits.
        return image.replacing(
            pixels, deep: width > 0 ? nil : try image.deepPixels?.cut(to: outer, isCancelled: isCancelled))
    }
}

/// The pixels along a border.
private struct BorderEdge {
    private let color: SIMD4<Int32>
    private let clearness: Int32

    init(color: ImageColor) {
        self.color = PremultipliedPixel.components(color.word)
        clearness = 255 - Int32(color.alpha)
    }

    /// `outer` 255ths of the pixel are inside of the shape, `inner` of them inside of the border; the border has the rest,
    /// and where it is translucent the picture shows through.
    @inline(__always)
    func drawn(on pixel: UInt32, outer: Int32, inner: Int32) -> UInt32 {
        let line = outer &- inner
        let picture = inner &* 255 &+ line &* clearness
        let sums = PremultipliedPixel.components(pixel) &* picture &+ color &* (line &* 255)
        // 255 times 255 and its half; a colour's sum is never above its alpha's.
        return PremultipliedPixel.word((sums &+ 32_512) / 65_025)
    }
}

extension ImageTransform {
    /// Rounds all corners. A radius of more than half of the shorter side is cut off there (X183).
    ///
    /// - Parameters:
    ///   - radius: in pixels.
    ///   - border: a line along the edge, inside of the picture.
    public static func roundedCorners(radius: Double, border: ImageBorder? = nil) -> ImageTransform {
        roundedCorners(CornerRadii(radius), border: border)
    }

    /// Rounds each corner by itself.
    public static func roundedCorners(_ radii: CornerRadii, border: ImageBorder? = nil) -> ImageTransform {
        ImageTransform(RoundCornersTransform(radii: radii, border: border))
    }
}
