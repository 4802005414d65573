import EaselCore

/// Pixels in little-endian 32-bit words: B, G, R, A in memory.
enum PackedPixel {
    @inline(__always)
    static func opaque(red: UInt8, green: UInt8, blue: UInt8) -> UInt32 {
        0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    /// Returns the premultiplied pixel of straight components, rounded to nearest.
    @inline(__always)
    static func premultiplied(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) -> UInt32 {
        let color = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        return PremultipliedPixel.premultiply(color | UInt32(alpha) << 24)
    }

    /// Draws `source` over `destination`, both premultiplied.
    @inline(__always)
    static func over(_ source: UInt32, _ destination: UInt32) -> UInt32 {
        switch source >> 24 {
        case 255: source
        case 0: destination
        default: PremultipliedPixel.over(source, destination)
        }
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
