import EaselCore

/// Where the components lie in a pixel of 16 or 32 bits.
struct BMPMasks: Hashable {
    var red: Component
    var green: Component
    var blue: Component
    var alpha: Component

    /// 5 bits each, without alpha: what 16 bits mean where nothing else is said.
    static let fiveBits = BMPMasks(red: 0x7C00, green: 0x03E0, blue: 0x001F, alpha: 0)
    /// B, G, R and a byte without meaning, whatever is in it.
    static let eightBits = BMPMasks(red: 0xFF0000, green: 0xFF00, blue: 0xFF, alpha: 0)
    /// B, G, R, A, as icons have it.
    static let eightBitsWithAlpha = BMPMasks(red: 0xFF0000, green: 0xFF00, blue: 0xFF, alpha: 0xFF00_0000)

    private init(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32) {
        self.red = Component(mask: red)
        self.green = Component(mask: green)
        self.blue = Component(mask: blue)
        self.alpha = Component(mask: alpha)
    }

    /// Three or four masks that stand at `offset`; what the file does not hold is 0.
    init(_ file: Span<UInt8>, at offset: Int, hasAlpha: Bool) {
        func mask(_ index: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: file.littleEndian32(at: offset + index * 4) ?? 0)
        }
        self.init(red: mask(0), green: mask(1), blue: mask(2), alpha: hasAlpha ? mask(3) : 0)
    }

    /// The pixel with these bits, its colour not premultiplied. Without an alpha mask it is opaque.
    @inline(__always)
    func pixel(_ bits: UInt32) -> UInt32 {
        let opacity = alpha.mask == 0 ? 255 : alpha.value(bits)
        return UInt32(opacity) << 24 | UInt32(red.value(bits)) << 16 | UInt32(green.value(bits)) << 8
            | UInt32(blue.value(bits))
    }

    /// One component: some bits of the pixel, scaled to eight.
    struct Component: Hashable {
        let mask: UInt32
        private let shift: UInt32
        private let largest: UInt32

        init(mask: UInt32) {
            self.mask = mask
            // Of more than eight bits the upper eight are taken.
            let bitCount = 32 - mask.leadingZeroBitCount - (mask == 0 ? 0 : mask.trailingZeroBitCount)
            shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount + max(0, bitCount - 8))
            largest = max(1, mask >> shift)
        }

        @inline(__always)
        func value(_ bits: UInt32) -> UInt8 {
            // At most 255 * 255 + 127 before it is divided.
            UInt8(truncatingIfNeeded: ((bits & mask) >> shift &* 255 &+ largest / 2) / largest)
        }
    }
}
