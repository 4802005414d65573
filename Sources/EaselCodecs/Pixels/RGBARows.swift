import EaselCore

/// Rows as most libraries give them, R, G, B, A in memory, turned into Easel's: B, G, R, A, premultiplied.
enum RGBARows {
    /// What the alpha of the rows means.
    enum Alpha {
        /// Nothing: it becomes 255.
        case unused
        /// The colours are not multiplied by it yet.
        case straight
        /// The colours are multiplied by it, if the file keeps its word.
        case premultiplied
    }

    /// Converts `count` pixels; `source` and `target` may be the same place.
    static func convert(
        _ source: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt32>, count: Int, _ alpha: Alpha
    ) {
        switch alpha {
        case .unused:
            for x in 0..<count { target[x] = swapped(source[x]) | 0xFF00_0000 }
        case .straight:
            for x in 0..<count { target[x] = multiplied(swapped(source[x])) }
        case .premultiplied:
            for x in 0..<count { target[x] = bounded(swapped(source[x])) }
        }
    }

    /// Turns straight B, G, R, A, as Easel's encoders have it, into R, G, B, A, or back.
    @inline(__always)
    static func swapped(_ pixel: UInt32) -> UInt32 {
        pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | (pixel >> 16) & 0xFF
    }

    @inline(__always)
    private static func multiplied(_ pixel: UInt32) -> UInt32 {
        PackedPixel.premultiplied(
            red: UInt8(truncatingIfNeeded: pixel >> 16), green: UInt8(truncatingIfNeeded: pixel >> 8),
            blue: UInt8(truncatingIfNeeded: pixel), alpha: UInt8(truncatingIfNeeded: pixel >> 24))
    }

    /// No component above its alpha, which arithmetic on premultiplied pixels counts on.
    @inline(__always)
    static func bounded(_ pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        let red = min(pixel >> 16 & 0xFF, alpha)
        let green = min(pixel >> 8 & 0xFF, alpha)
        let blue = min(pixel & 0xFF, alpha)
        return alpha << 24 | red << 16 | green << 8 | blue
    }
}
