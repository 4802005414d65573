/// An sRGB color of eight bits per component, not premultiplied.
public struct ImageColor: Sendable, Hashable, CustomStringConvertible {
    /// Red.
    public var red: UInt8
    /// Green.
    public var green: UInt8
    /// Blue.
    public var blue: UInt8
    /// 255 is opaque.
    public var alpha: UInt8

    /// Creates a color, by default opaque.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Creates a color as in CSS: `0xRRGGBB`. Higher bits are ignored.
    public init(_ hexadecimal: UInt32, alpha: UInt8 = 255) {
        self.init(
            red: UInt8(truncatingIfNeeded: hexadecimal >> 16), green: UInt8(truncatingIfNeeded: hexadecimal >> 8),
            blue: UInt8(truncatingIfNeeded: hexadecimal), alpha: alpha)
    }

    /// Creates the color of a premultiplied pixel, rounded to nearest. The color of a transparent one is `clear`.
    package init(_ pixel: Pixel) {
        let straight = PremultipliedPixel.unpremultiply(PremultipliedPixel.word(pixel))
        self.init(straight & 0xFF_FFFF, alpha: pixel.alpha)
    }

    /// Black, opaque.
    public static let black = ImageColor(0)
    /// White, opaque.
    public static let white = ImageColor(0xFF_FFFF)
    /// Transparent black.
    public static let clear = ImageColor(0, alpha: 0)

    /// The premultiplied pixel of this color, rounded to nearest.
    package var pixel: Pixel { PremultipliedPixel.pixel(word) }

    var word: UInt32 {
        let opaque = 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        return PremultipliedPixel.scale(opaque, by: UInt32(alpha))
    }

    /// `#rrggbb`, or `#rrggbbaa` if it is not opaque.
    public var description: String {
        let components = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        return "#" + components.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Integer arithmetic on a premultiplied pixel in a word: blue in the lowest byte, then green, red and alpha, which is
/// B, G, R, A in the memory of a little-endian machine.
package enum PremultipliedPixel {
    @inlinable package static var evenBytes: UInt32 { 0x00FF_00FF }

    /// Returns every component times `factor` / 255, rounded to nearest, so that no color exceeds its alpha.
    @inlinable @inline(__always)
    package static func scale(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        scalePair(pixel & evenBytes, by: factor) | scalePair((pixel >> 8) & evenBytes, by: factor) << 8
    }

    @inlinable @inline(__always)
    package static func scalePair(_ pair: UInt32, by factor: UInt32) -> UInt32 {
        let product = pair &* factor &+ 0x0080_0080
        return ((product &+ ((product >> 8) & evenBytes)) >> 8) & evenBytes
    }

    /// Returns `source` over `destination`.
    @inlinable @inline(__always)
    package static func over(_ source: UInt32, _ destination: UInt32) -> UInt32 {
        // No carry between bytes: a component is at most its alpha, and the two alphas add up to 255.
        source &+ scale(destination, by: 255 &- (source >> 24))
    }

    /// Returns the components divided by alpha, rounded so that premultiplying restores them. A transparent pixel is 0.
    @inlinable @inline(__always)
    package static func unpremultiply(_ pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        if alpha == 255 { return pixel }
        if alpha == 0 { return 0 }
        let blue = unpremultiply(pixel & 255, alpha)
        let green = unpremultiply((pixel >> 8) & 255, alpha)
        let red = unpremultiply((pixel >> 16) & 255, alpha)
        return alpha << 24 | red << 16 | green << 8 | blue
    }

    @inlinable @inline(__always)
    package static func unpremultiply(_ component: UInt32, _ alpha: UInt32) -> UInt32 {
        min((component &* 255 &+ alpha / 2) / alpha, 255)
    }

    /// Returns the components times alpha.
    @inlinable @inline(__always)
    package static func premultiply(_ straight: UInt32) -> UInt32 {
        let alpha = straight >> 24
        if alpha == 255 { return straight }
        return alpha << 24 | scale(straight & 0xFF_FFFF, by: alpha)
    }

    /// Returns the four components: blue, green, red, alpha.
    @inline(__always)
    static func components(_ pixel: UInt32) -> SIMD4<Int32> {
        SIMD4(
            Int32(pixel & 255), Int32((pixel >> 8) & 255), Int32((pixel >> 16) & 255),
            Int32(truncatingIfNeeded: pixel >> 24))
    }

    /// Returns the pixel of four components from 0 to 255.
    @inline(__always)
    static func word(_ components: SIMD4<Int32>) -> UInt32 {
        let parts = SIMD4<UInt32>(truncatingIfNeeded: components)
        return parts.x | parts.y << 8 | parts.z << 16 | parts.w << 24
    }

    static func word(_ pixel: Pixel) -> UInt32 {
        UInt32(pixel.blue) | UInt32(pixel.green) << 8 | UInt32(pixel.red) << 16 | UInt32(pixel.alpha) << 24
    }

    static func pixel(_ word: UInt32) -> Pixel {
        Pixel(
            blue: UInt8(truncatingIfNeeded: word), green: UInt8(truncatingIfNeeded: word >> 8),
            red: UInt8(truncatingIfNeeded: word >> 16), alpha: UInt8(truncatingIfNeeded: word >> 24))
    }
}
