#if TIFF
import CEaselTIFF
import EaselCore

/// The number format of a TIFF sample.
enum TIFFSampleKind: Hashable {
    /// Unsigned integers.
    case byte, short, long
    /// Unsigned integers of any other width up to 15 bits, packed without padding, highest bit first.
    case packed(Int)
    /// Signed integers. Values of 0 and below are black.
    case signedByte, signedShort, signedLong
    /// Floating-point linear light.
    case half, float, double

    /// Returns `nil` for formats that libtiff must convert or that are unsupported.
    init?(_ fields: easel_tiff_header) {
        let bits = Int(fields.bits_per_sample)
        switch (fields.format, bits) {
        case (EASEL_TIFF_UNSIGNED, 8): self = .byte
        case (EASEL_TIFF_UNSIGNED, 16): self = .short
        case (EASEL_TIFF_UNSIGNED, 32): self = .long
        case (EASEL_TIFF_SIGNED, 8): self = .signedByte
        case (EASEL_TIFF_SIGNED, 16): self = .signedShort
        case (EASEL_TIFF_SIGNED, 32): self = .signedLong
        case (EASEL_TIFF_FLOAT, 16): self = .half
        case (EASEL_TIFF_FLOAT, 32): self = .float
        case (EASEL_TIFF_FLOAT, 64): self = .double
        case (EASEL_TIFF_UNSIGNED, 1..<16) where !fields.is_planar: self = .packed(bits)
        default: return nil
        }
    }

    var bitCount: Int {
        switch self {
        case .byte, .signedByte: 8
        case .short, .signedShort, .half: 16
        case .long, .signedLong, .float: 32
        case .double: 64
        case .packed(let bits): bits
        }
    }

    var isFloatingPoint: Bool { [.half, .float, .double].contains(self) }

    /// Converts an IEEE 754 half to `Float`. `Float16` is not available on all platforms.
    @inline(__always)
    static func number(half bits: UInt16) -> Float {
        let sign = UInt32(bits & 0x8000) << 16
        let (exponent, fraction) = (UInt32(bits >> 10) & 31, UInt32(bits & 0x3FF))
        // Subnormal numbers have no implicit leading 1: they are multiples of 2^-24.
        if exponent == 0 { return (sign == 0 ? 1 : -1) * Float(fraction) * 0x1p-24 }
        return Float(bitPattern: sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13)
    }
}

/// The palette of a TIFF with samples besides the index, which libtiff ignores.
struct TIFFPalette {
    /// An opaque pixel for each value of a sample.
    let colors: [UInt32]
    private let bits: Int

    /// Returns `nil` without a palette, and for samples that cannot be indices.
    init?(_ fields: easel_tiff_header, _ kind: TIFFSampleKind) {
        switch kind {
        case .byte, .short, .packed: bits = kind.bitCount
        default: return nil
        }
        guard fields.colors == EASEL_TIFF_PALETTE, let red = fields.palette.0, let green = fields.palette.1,
            let blue = fields.palette.2
        else { return nil }
        let values = 0..<(1 << bits)
        // Some writers store 8-bit values instead of 16-bit values. libtiff accepts them, too.
        let isWide = values.contains { red[$0] > 255 || green[$0] > 255 || blue[$0] > 255 }
        func byte(_ word: UInt16) -> UInt8 {
            UInt8(truncatingIfNeeded: isWide ? UInt32(word) * 255 / 65_535 : UInt32(word))
        }
        colors = values.map { PackedPixel.opaque(red: byte(red[$0]), green: byte(green[$0]), blue: byte(blue[$0])) }
    }

    /// Converts an alpha sample to 8 bits.
    func alpha(_ sample: Int) -> UInt8 {
        let maximum = colors.count - 1
        return UInt8(truncatingIfNeeded: (sample * 255 + maximum / 2) / maximum)
    }
}

extension TIFFSamples {
    /// Writes `width` premultiplied pixels.
    func expand(_ row: UnsafeRawPointer, _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>, _ palette: TIFFPalette) {
        func sample(_ index: Int) -> Int {
            switch kind {
            case .short: Int(row.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self))
            case .packed(let bits): Int(Self.packed(row, index, bits))
            default: Int(row.load(fromByteOffset: index, as: UInt8.self))
            }
        }
        for x in 0..<width {
            let color = palette.colors[sample(x &* channels)]
            guard alpha != EASEL_TIFF_OPAQUE else {
                pixels[x] = color
                continue
            }
            pixels[x] = pixel(
                UInt8(truncatingIfNeeded: color >> 16), UInt8(truncatingIfNeeded: color >> 8),
                UInt8(truncatingIfNeeded: color), palette.alpha(sample(x &* channels &+ alphaIndex)))
        }
    }
}
#endif
