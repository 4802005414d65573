import EaselCore

/// The header of a Windows or OS/2 bitmap, in any version. Icons contain the same structure, without the file header.
struct BMPHeader {
    enum Compression {
        case none, runLength4, runLength8
    }

    let size: PixelSize
    /// Whether rows are stored from top to bottom. Usually they are stored from bottom to top.
    let isTopDown: Bool
    let bitCount: Int
    let compression: Compression
    let masks: BMPMasks
    /// The range of the palette, which can extend past the end of the file; empty without a palette.
    let palette: Range<Int>
    let paletteEntrySize: Int
    /// The offset of the pixels, which can be past the end of the file.
    let pixels: Int

    /// The offset of an icon's mask, with one bit a pixel, 1 for transparent. It can be past the end of the file.
    let iconMask: Int?

    /// Whether a pixel can be transparent: through an alpha component, a mask, or a gap between runs.
    var hasAlpha: Bool { masks.alpha.mask != 0 || iconMask != nil || compression != .none }

    /// The byte count of a row, a multiple of four.
    var bytesPerRow: Int { Self.bytesPerRow(size.width, bitCount) }

    static func bytesPerRow(_ width: Int, _ bitCount: Int) -> Int { (width * bitCount + 31) / 32 * 4 }

    /// - Throws: `ImageError.badData` if the data is not a bitmap or is inconsistent; `.unsupported` for a compression
    ///   that only printers use.
    init(_ file: Span<UInt8>) throws(ImageError) {
        guard file.hasText("BM", at: 0), let pixels = file.littleEndian32(at: 10) else {
            throw .badData("Not a BMP file.")
        }
        try self.init(file, at: 14, pixels: pixels, isIcon: false)
    }

    /// Reads the bitmap of an icon's entry. Its height includes the mask, and its pixels follow the palette.
    init(icon entry: Span<UInt8>) throws(ImageError) {
        try self.init(entry, at: 0, pixels: nil, isIcon: true)
    }

    private init(_ file: Span<UInt8>, at start: Int, pixels: Int?, isIcon: Bool) throws(ImageError) {
        guard let headerSize = file.littleEndian32(at: start), file.count - start >= headerSize,
            [12, 16, 40, 52, 56, 64, 108, 124].contains(headerSize)
        else { throw .badData("The BMP header is truncated or its version is unknown.") }
        let isCore = headerSize == 12
        // The fields are inside the header, whose size was checked.
        func short(_ offset: Int) -> Int { file.littleEndian16(at: start + offset) ?? 0 }
        func long(_ offset: Int) -> Int { file.littleEndian32(at: start + offset) ?? 0 }
        func signed(_ offset: Int) -> Int { Int(Int32(truncatingIfNeeded: long(offset))) }
        let width = isCore ? short(4) : signed(4)
        let storedHeight = isCore ? short(6) : signed(8)
        let height = isIcon ? storedHeight / 2 : storedHeight
        let compression = headerSize >= 40 ? long(16) : 0
        guard width > 0, height != 0 else { throw .badData("The BMP size of \(PixelSize(width, height)) is invalid.") }
        size = PixelSize(width, abs(height))
        isTopDown = height < 0
        bitCount = short(isCore ? 10 : 14)
        guard let known = Self.compression(compression, bitCount: bitCount, isOS2: [16, 64].contains(headerSize)) else {
            throw .badData("BMP compression \(compression) is invalid for \(bitCount) bits per pixel.")
        }
        self.compression = known.compression
        var end = start + headerSize
        if known.hasMasks {
            let hasAlphaMask = headerSize >= 56 || compression == 6
            masks = BMPMasks(file, at: start + 40, hasAlpha: hasAlphaMask)
            // A header of 40 bytes excludes the masks, which follow it.
            if headerSize == 40 { end += hasAlphaMask ? 16 : 12 }
        } else {
            masks = bitCount == 16 ? .fiveBits : isIcon && bitCount == 32 ? .eightBitsWithAlpha : .eightBits
        }
        let announced = headerSize >= 40 ? long(32) : 0
        let count = announced > 0 ? announced : bitCount <= 8 ? 1 << bitCount : 0
        paletteEntrySize = isCore ? 3 : 4
        palette = end..<(end + min(count, 256) * paletteEntrySize)
        let paletteEnd = min(end + count * paletteEntrySize, file.count)
        let firstRow = pixels.map { $0 < end ? paletteEnd : $0 } ?? paletteEnd
        self.pixels = firstRow
        // Cannot overflow: an icon's rows have at most 2^63 - 2^32 bytes, and its entry, where they begin, below 2^32.
        iconMask = isIcon ? firstRow + Self.bytesPerRow(size.width, bitCount) * size.height : nil
    }

    private static func compression(
        _ value: Int, bitCount: Int, isOS2: Bool
    ) -> (compression: Compression, hasMasks: Bool)? {
        switch (value, bitCount) {
        case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32): (.none, false)
        case (1, 8): (.runLength8, false)
        case (2, 4): (.runLength4, false)
        case (3, 16) where !isOS2, (3, 32) where !isOS2, (6, 16), (6, 32): (.none, true)
        default: nil
        }
    }

    /// Returns the palette as pixels. Indices beyond it are black. Has 256 entries, so that any byte is a valid index.
    func colors(in file: Span<UInt8>) -> [UInt32] {
        (0..<256).map { index in
            let offset = palette.lowerBound + index * paletteEntrySize
            guard offset + 2 < palette.upperBound, let blue = file.byte(at: offset),
                let green = file.byte(at: offset + 1), let red = file.byte(at: offset + 2)
            else { return PackedPixel.opaque(red: 0, green: 0, blue: 0) }
            return PackedPixel.opaque(red: red, green: green, blue: blue)
        }
    }
}

/// The component masks of a pixel of 16 or 32 bits.
struct BMPMasks: Hashable {
    var red: Component
    var green: Component
    var blue: Component
    var alpha: Component

    /// 5 bits for each component, without alpha: the default of 16-bit pixels.
    static let fiveBits = BMPMasks(red: 0x7C00, green: 0x03E0, blue: 0x001F, alpha: 0)
    /// B, G, R and an unused byte.
    static let eightBits = BMPMasks(red: 0xFF0000, green: 0xFF00, blue: 0xFF, alpha: 0)
    /// B, G, R, A, as in icons.
    static let eightBitsWithAlpha = BMPMasks(red: 0xFF0000, green: 0xFF00, blue: 0xFF, alpha: 0xFF00_0000)

    private init(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32) {
        self.red = Component(mask: red)
        self.green = Component(mask: green)
        self.blue = Component(mask: blue)
        self.alpha = Component(mask: alpha)
    }

    /// Reads three or four masks at `offset`. Masks past the end of the file are 0.
    init(_ file: Span<UInt8>, at offset: Int, hasAlpha: Bool) {
        func mask(_ index: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: file.littleEndian32(at: offset + index * 4) ?? 0)
        }
        self.init(red: mask(0), green: mask(1), blue: mask(2), alpha: hasAlpha ? mask(3) : 0)
    }

    /// Returns the pixel with these bits, not premultiplied. Without an alpha mask it is opaque.
    @inline(__always)
    func pixel(_ bits: UInt32) -> UInt32 {
        let opacity = alpha.mask == 0 ? 255 : alpha.value(bits)
        return UInt32(opacity) << 24 | UInt32(red.value(bits)) << 16 | UInt32(green.value(bits)) << 8
            | UInt32(blue.value(bits))
    }

    /// A component of a pixel: some of its bits, scaled to eight.
    struct Component: Hashable {
        let mask: UInt32
        private let shift: UInt32
        private let largest: UInt32

        init(mask: UInt32) {
            self.mask = mask
            // Components wider than eight bits are reduced to their upper eight.
            let bitCount = 32 - mask.leadingZeroBitCount - (mask == 0 ? 0 : mask.trailingZeroBitCount)
            shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount + max(0, bitCount - 8))
            largest = max(1, mask >> shift)
        }

        @inline(__always)
        func value(_ bits: UInt32) -> UInt8 {
            // The dividend is at most 255 * 255 + 127.
            UInt8(truncatingIfNeeded: ((bits & mask) >> shift &* 255 &+ largest / 2) / largest)
        }
    }
}
