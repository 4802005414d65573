/// The size to decode an image to. An image is never scaled up.
public enum TargetSize: Sendable, Hashable {
    /// The image's own size.
    case original
    /// A size that fits or covers a box of pixels.
    case pixels(PixelSize, mode: ContentMode)
    /// At most this many bytes at four per pixel.
    case scaledDown(bytes: Int)

    /// How an image with another aspect ratio than the box fits it.
    public enum ContentMode: String, Sendable, Hashable, CaseIterable {
        /// The whole image, inside the box.
        case aspectFit
        /// The whole image, covering the box. A transform or the view can crop it.
        case aspectFill
        /// Exactly the box, ignoring the aspect ratio.
        case fill
    }

    /// Returns the size for a box of pixels.
    public static func pixels(width: Int, height: Int, mode: ContentMode = .aspectFit) -> TargetSize {
        .pixels(PixelSize(width, height), mode: mode)
    }

    /// Returns the size for a box of points on a display with `scale` pixels per point, rounded up to whole pixels.
    public static func points(
        width: Double, height: Double, scale: Double, mode: ContentMode = .aspectFit
    ) -> TargetSize {
        .pixels(PixelSize(pixels(width, scale), pixels(height, scale)), mode: mode)
    }

    /// Returns the size that an image of `size` is decoded to: never larger, never under 1 x 1.
    ///
    /// One side is that of the box; the other is rounded up. A box with a side of zero or less stands for the original
    /// size. 5250 x 3450 in 400 x 300 gives 400 x 263.
    public func size(for size: PixelSize) -> PixelSize {
        if case .scaledDown(let bytes) = self { return Self.size(for: size, within: bytes) }
        guard case .pixels(let box, let mode) = self, box.width > 0, box.height > 0 else { return size }
        if mode == .fill {
            return PixelSize(min(box.width, size.width), min(box.height, size.height))
        }
        let widthDecides = Self.isWider(size, than: box) == (mode == .aspectFit)
        if widthDecides {
            guard box.width < size.width else { return size }
            return PixelSize(box.width, max(1, Self.scaledUp(size.height, by: box.width, over: size.width)))
        }
        guard box.height < size.height else { return size }
        return PixelSize(max(1, Self.scaledUp(size.width, by: box.height, over: size.height)), box.height)
    }

    /// The part of cache keys for this size; empty for the original.
    var keySuffix: String {
        switch self {
        case .original: ""
        case .pixels(let box, let mode): "-Thumbnail(\(box.width)x\(box.height),\(mode.rawValue))"
        case .scaledDown(let bytes): "-ScaledDown(\(bytes))"
        }
    }

    /// Returns the size within a number of bytes. Both sides are rounded down, at least 1 x 1.
    private static func size(for size: PixelSize, within bytes: Int) -> PixelSize {
        let pixels = max(1, bytes / 4)
        let area = Double(size.width) * Double(size.height)
        guard area > Double(pixels) else { return size }
        let factor = (Double(pixels) / area).squareRoot()
        let width = max(1, Int(Double(size.width) * factor))
        let height = max(1, Int(Double(size.height) * factor))
        return PixelSize(min(width, max(1, pixels / height)), min(height, max(1, pixels / width)))
    }

    private static func isWider(_ size: PixelSize, than box: PixelSize) -> Bool {
        size.width.multipliedFullWidth(by: box.height) >= box.width.multipliedFullWidth(by: size.height)
    }

    /// Returns `side * numerator / denominator`, rounded up.
    private static func scaledUp(_ side: Int, by numerator: Int, over denominator: Int) -> Int {
        let (quotient, remainder) = denominator.dividingFullWidth(side.multipliedFullWidth(by: numerator))
        return remainder == 0 ? quotient : quotient + 1
    }

    private static func pixels(_ points: Double, _ scale: Double) -> Int {
        let pixels = (points * scale).rounded(.up)
        return pixels.isFinite ? Int(min(max(pixels, 0), 1_000_000)) : 0
    }
}
