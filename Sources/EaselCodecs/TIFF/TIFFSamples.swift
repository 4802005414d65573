#if TIFF
import CEaselTIFF
import EaselCore

/// Turns the samples of the commonest kinds of TIFF into pixels: gray and RGB of 8 or 16 bits or in floating point, with
/// or without alpha, all samples of a pixel together. What is not of these, libtiff turns into RGBA.
struct TIFFSamples {
    private enum Depth {
        case byte, short, float
    }

    private let depth: Depth
    let channels: Int
    let isGray: Bool
    let isInverted: Bool
    let alpha: easel_tiff_alpha
    /// Eight bits for the light that a number from 0 to 1 stands for, in 4,096 steps.
    private let curve: [UInt8]

    /// `nil` for what is of another kind.
    init?(_ fields: easel_tiff_header) {
        guard !fields.is_planar, fields.colors != EASEL_TIFF_OTHER else { return nil }
        switch (fields.bits_per_sample, fields.is_float) {
        case (8, false): depth = .byte
        case (16, false): depth = .short
        case (32, true): depth = .float
        default: return nil
        }
        channels = Int(fields.samples_per_pixel)
        isGray = fields.colors != EASEL_TIFF_RGB
        isInverted = fields.colors == EASEL_TIFF_GRAY_INVERTED
        alpha = fields.alpha
        curve = depth == .float ? Self.makeCurve() : []
        guard (1...4).contains(channels) else { return nil }
    }

    /// Whether they have the 16 bits of deep pixels.
    var isDeep: Bool { depth == .short }

    /// Bytes of one pixel.
    var byteCount: Int {
        switch depth {
        case .byte: channels
        case .short: channels * 2
        case .float: channels * 4
        }
    }

    /// Writes `width` premultiplied pixels from samples of this machine's byte order; `row` has the bytes of as many.
    func expand(_ row: UnsafeRawPointer, width: Int, into pixels: UnsafeMutablePointer<UInt32>) {
        switch depth {
        case .byte where channels == 3 && !isGray:
            let bytes = row.assumingMemoryBound(to: UInt8.self)
            for x in 0..<width {
                pixels[x] = PackedPixel.opaque(
                    red: bytes[x &* 3], green: bytes[x &* 3 &+ 1], blue: bytes[x &* 3 &+ 2])
            }
        case .byte:
            let bytes = row.assumingMemoryBound(to: UInt8.self)
            expand(width, pixels) {
                bytes[$0]
            } opacity: {
                bytes[$0]
            }
        case .short:
            expand(width, pixels) {
                Self.short(row, $0)
            } opacity: {
                Self.short(row, $0)
            }
        case .float:
            curve.withUnsafeBufferPointer { curve in
                expand(width, pixels) {
                    curve[Self.step(row, $0, curve.count)]
                } opacity: {
                    UInt8(truncatingIfNeeded: Self.step(row, $0, 256))
                }
            }
        }
    }

    /// `light` gives a sample of colour by its number in the row, `opacity` one of alpha.
    @inline(__always)
    private func expand(
        _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>, _ light: (Int) -> UInt8, opacity: (Int) -> UInt8
    ) {
        let mask: UInt8 = isInverted ? 255 : 0
        for x in 0..<width {
            let first = x &* channels
            let red = light(first) ^ mask
            let green = isGray ? red : light(first &+ 1)
            let blue = isGray ? red : light(first &+ 2)
            if alpha == EASEL_TIFF_OPAQUE {
                pixels[x] = PackedPixel.opaque(red: red, green: green, blue: blue)
                continue
            }
            let share = opacity(first &+ channels &- 1)
            pixels[x] =
                alpha == EASEL_TIFF_STRAIGHT
                ? PackedPixel.premultiplied(red: red, green: green, blue: blue, alpha: share)
                // No component may be above the alpha, whatever the file says.
                : UInt32(share) << 24 | UInt32(min(red, share)) << 16 | UInt32(min(green, share)) << 8
                    | UInt32(min(blue, share))
        }
    }

    @inline(__always)
    private static func short(_ row: UnsafeRawPointer, _ index: Int) -> UInt8 {
        let sample = UInt32(row.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self))
        return UInt8(truncatingIfNeeded: (sample &* 255 &+ 32_767) / 65_535)
    }

    /// A number from 0 to 1 as one of `count` steps. What is above or below, or no number, is the nearest of them, or 0.
    @inline(__always)
    private static func step(_ row: UnsafeRawPointer, _ index: Int, _ count: Int) -> Int {
        let sample = row.loadUnaligned(fromByteOffset: index &* 4, as: Float.self)
        return sample > 0 ? Int(min(sample, 1) * Float(count - 1) + 0.5) : 0
    }

    /// Numbers in floating point are amounts of light; sRGB's curve makes of them what a screen takes (IEC 61966-2-1).
    private static func makeCurve() -> [UInt8] {
        (0..<4096).map { step in
            let light = Double(step) / 4095
            let value = light <= 0.003_130_8 ? 12.92 * light : 1.055 * root(light) - 0.055
            return UInt8((value * 255).rounded())
        }
    }

    /// The 2.4th root of a number above 0, which is its power of 5/12: two square roots, and a cube root by Newton's steps.
    private static func root(_ number: Double) -> Double {
        let cube = (number * number * number * number * number).squareRoot().squareRoot()
        return (0..<40).reduce(1.0) { guess, _ in (2 * guess + cube / (guess * guess)) / 3 }
    }
}
#endif
