/// Arithmetic on a premultiplied pixel held in a word: blue in the lowest byte, then green, red and alpha, which is B, G, R, A
/// in the memory of the little-endian machines that Swift runs on. Whole numbers alone: every machine computes the same.
enum PremultipliedPixel {
    private static let evenBytes: UInt32 = 0x00FF_00FF
    private static let halves: UInt32 = 0x0080_0080

    /// `value / 255`, rounded to nearest; exact up to 65,535.
    @inline(__always)
    static func over255(_ value: Int32) -> Int32 {
        let sum = value &+ 128
        return (sum &+ (sum >> 8)) >> 8
    }

    /// Every component times `factor` / 255, rounded to nearest, so that no colour comes out above its alpha.
    @inline(__always)
    static func scaled(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        scaledPair(pixel & evenBytes, by: factor) | scaledPair((pixel >> 8) & evenBytes, by: factor) << 8
    }

    /// `source` over `destination`.
    @inline(__always)
    static func over(_ source: UInt32, _ destination: UInt32) -> UInt32 {
        // No carry between bytes: a component is at most its alpha, and the two alphas add up to 255.
        source &+ scaled(destination, by: 255 &- (source >> 24))
    }

    /// The components divided by alpha, rounded so that premultiplying gives them back; a clear pixel is 0.
    @inline(__always)
    static func straight(_ pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        if alpha == 255 { return pixel }
        if alpha == 0 { return 0 }
        let blue = straight(pixel & 255, alpha)
        let green = straight((pixel >> 8) & 255, alpha)
        let red = straight((pixel >> 16) & 255, alpha)
        return alpha << 24 | red << 16 | green << 8 | blue
    }

    /// The components times alpha.
    @inline(__always)
    static func premultiplied(_ straight: UInt32) -> UInt32 {
        let alpha = straight >> 24
        if alpha == 255 { return straight }
        return alpha << 24 | scaled(straight & 0xFF_FFFF, by: alpha)
    }

    /// Four components, each in a word of its own: blue, green, red, alpha.
    @inline(__always)
    static func components(_ pixel: UInt32) -> SIMD4<Int32> {
        SIMD4(
            Int32(pixel & 255), Int32((pixel >> 8) & 255), Int32((pixel >> 16) & 255),
            Int32(truncatingIfNeeded: pixel >> 24))
    }

    /// The pixel of four components from 0 to 255.
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

    @inline(__always)
    private static func straight(_ component: UInt32, _ alpha: UInt32) -> UInt32 {
        min((component &* 255 &+ alpha / 2) / alpha, 255)
    }

    /// Both 16-bit halves of `pair` times `factor` over 255, rounded to nearest.
    @inline(__always)
    private static func scaledPair(_ pair: UInt32, by factor: UInt32) -> UInt32 {
        let product = pair &* factor &+ halves
        return ((product &+ ((product >> 8) & evenBytes)) >> 8) & evenBytes
    }
}
