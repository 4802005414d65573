import EaselCore

/// Arithmetic on a pixel in a little-endian 32-bit word: B, G, R, A in memory.
///
/// Two components are multiplied at once, in the halves of the word: 255 * 255 + 128 fits 16 bits.
enum PackedPixel {
    private static let evenBytes: UInt32 = 0x00FF_00FF
    private static let halves: UInt32 = 0x0080_0080

    @inline(__always)
    static func opaque(red: UInt8, green: UInt8, blue: UInt8) -> UInt32 {
        0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    /// Returns the premultiplied pixel of straight components, rounded to nearest.
    @inline(__always)
    static func premultiplied(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) -> UInt32 {
        if alpha == 255 { return opaque(red: red, green: green, blue: blue) }
        if alpha == 0 { return 0 }
        let outer = scaledPair(UInt32(red) << 16 | UInt32(blue), by: UInt32(alpha))
        let inner = scaledPair(UInt32(green), by: UInt32(alpha))
        return outer | inner << 8 | UInt32(alpha) << 24
    }

    /// Draws `source` over `destination`, both premultiplied.
    @inline(__always)
    static func over(_ source: UInt32, _ destination: UInt32) -> UInt32 {
        let remaining = 255 &- (source >> 24)
        if remaining == 0 { return source }
        if remaining == 255 { return destination }
        let outer = scaledPair(destination & evenBytes, by: remaining)
        let inner = scaledPair((destination >> 8) & evenBytes, by: remaining)
        // Bytes cannot carry: a premultiplied component is at most its alpha, and the two alphas add up to 255.
        return source &+ (outer | inner << 8)
    }

    /// Divides a premultiplied component by `alpha`, which is above 0. Premultiplication restores it.
    @inline(__always)
    private static func straight(_ component: UInt8, alpha: UInt8) -> UInt8 {
        let quotient = (UInt32(component) &* 255 &+ UInt32(alpha) / 2) / UInt32(alpha)
        return UInt8(truncatingIfNeeded: min(quotient, 255))
    }

    /// Returns a premultiplied pixel divided by its alpha; 0 for a transparent one.
    @inline(__always)
    static func straight(_ pixel: UInt32) -> UInt32 {
        let alpha = UInt8(truncatingIfNeeded: pixel >> 24)
        if alpha == 255 { return pixel }
        if alpha == 0 { return 0 }
        let blue = straight(UInt8(truncatingIfNeeded: pixel), alpha: alpha)
        let green = straight(UInt8(truncatingIfNeeded: pixel >> 8), alpha: alpha)
        let red = straight(UInt8(truncatingIfNeeded: pixel >> 16), alpha: alpha)
        return pixel & 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    /// Returns both 16-bit halves of `pair` times `factor` / 255, rounded to nearest.
    @inline(__always)
    private static func scaledPair(_ pair: UInt32, by factor: UInt32) -> UInt32 {
        let product = pair &* factor &+ halves
        return ((product &+ ((product >> 8) & evenBytes)) >> 8) & evenBytes
    }
}

/// A converter of R, G, B, A rows, the format of most libraries, to premultiplied B, G, R, A.
enum RGBARows {
    enum Alpha {
        /// None: it becomes 255.
        case unused
        /// The colors are straight.
        case straight
        /// The colors are premultiplied, unless the file is invalid.
        case premultiplied
    }

    /// Converts `count` pixels. `source` and `target` can be the same.
    static func convert(
        _ source: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt32>, count: Int, _ alpha: Alpha
    ) {
        switch alpha {
        case .unused:
            for x in 0..<count { target[x] = swapped(source[x]) | 0xFF00_0000 }
        case .straight:
            _ = PixelKernels.best.expandRGBA(
                UnsafeRawBufferPointer(start: source, count: count * 4),
                into: UnsafeMutableRawBufferPointer(start: target, count: count * 4), count: count)
        case .premultiplied:
            for x in 0..<count { target[x] = clampedToAlpha(swapped(source[x])) }
        }
    }

    /// Converts between straight B, G, R, A, the order of Easel's encoders, and R, G, B, A.
    @inline(__always)
    static func swapped(_ pixel: UInt32) -> UInt32 {
        pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | (pixel >> 16) & 0xFF
    }

    /// Clamps components to the alpha, which arithmetic on premultiplied pixels requires.
    @inline(__always)
    static func clampedToAlpha(_ pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        let red = min(pixel >> 16 & 0xFF, alpha)
        let green = min(pixel >> 8 & 0xFF, alpha)
        let blue = min(pixel & 0xFF, alpha)
        return alpha << 24 | red << 16 | green << 8 | blue
    }
}

/// Indices of one, two, four or eight bits, starting with the upper bits of each byte, as in BMP and PNG.
enum PackedIndices {
    /// Writes the colors of `width` pixels.
    ///
    /// - Parameters:
    ///   - row: the bytes of the indices.
    ///   - colors: 256 colors, so that any byte is a valid index.
    static func expand(
        _ row: UnsafePointer<UInt8>, _ width: Int, _ bitCount: Int, _ colors: UnsafeBufferPointer<UInt32>,
        _ pixels: UnsafeMutablePointer<UInt32>
    ) {
        if bitCount == 8 {
            for x in 0..<width { pixels[x] = colors[Int(row[x])] }
            return
        }
        let mask = UInt8(truncatingIfNeeded: (1 << bitCount) - 1)
        for x in 0..<width {
            let bit = x &* bitCount
            let shift = 8 &- bitCount &- (bit & 7)
            pixels[x] = colors[Int(row[bit >> 3] &>> UInt8(truncatingIfNeeded: shift) & mask)]
        }
    }
}
