#if TIFF
import CEaselTIFF

/// How one sample of a TIFF is written.
enum TIFFSampleKind: Hashable {
    /// Whole numbers from 0.
    case byte, short, long
    /// Whole numbers of any other count of bits up to 15, without gaps between them, the highest bit first.
    case packed(Int)
    /// Whole numbers of which 0 is black, as what is below it is.
    case signedByte, signedShort, signedLong
    /// Amounts of light.
    case half, float, double

    /// `nil` for what is left to libtiff, or that nobody reads.
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

    /// A number of IEEE 754's 16 bits. Swift has the type on some machines only.
    @inline(__always)
    static func number(half bits: UInt16) -> Float {
        let sign = UInt32(bits & 0x8000) << 16
        let (exponent, fraction) = (UInt32(bits >> 10) & 31, UInt32(bits & 0x3FF))
        // The smallest ones have no leading 1: so many times 2 to the power of -24.
        if exponent == 0 { return (sign == 0 ? 1 : -1) * Float(fraction) * 0x1p-24 }
        return Float(bitPattern: sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13)
    }
}
#endif
