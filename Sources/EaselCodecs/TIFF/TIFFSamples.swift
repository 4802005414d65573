#if TIFF
import CEaselPixels
import CEaselTIFF
import EaselCore

/// Turns the samples of the commonest kinds of TIFF into pixels: gray, RGB and CMYK, with or without alpha, in whole numbers or
/// in floating point, all samples of a pixel together or each in a plane. What is not of these, libtiff turns into RGBA.
struct TIFFSamples {
    let kind: TIFFSampleKind
    let colors: easel_tiff_colors
    let alpha: easel_tiff_alpha
    /// Samples of a pixel in a row, those of planes once they are put together.
    let channels: Int
    /// The planes that are read: further ones are nothing to see. 0 where the samples of a pixel are together.
    let planeCount: Int
    /// The colour of each value of the first sample; `nil` where samples are colours.
    let palette: TIFFPalette?

    /// `nil` for what is of another kind.
    init?(_ fields: easel_tiff_header) {
        guard let kind = TIFFSampleKind(fields), fields.colors != EASEL_TIFF_OTHER else { return nil }
        self.kind = kind
        colors = fields.colors
        palette = TIFFPalette(fields, kind)
        guard palette != nil || colors != EASEL_TIFF_PALETTE else { return nil }
        alpha = fields.alpha
        let colorCount = Self.colorCount(colors)
        let needed = colorCount + (alpha == EASEL_TIFF_OPAQUE ? 0 : 1)
        planeCount = fields.is_planar ? needed : 0
        // Three bytes are put together as four: those are a word.
        let together = kind == .byte && colors == EASEL_TIFF_RGB ? 4 : needed
        channels = fields.is_planar ? together : Int(fields.samples_per_pixel)
        guard fields.samples_per_pixel >= needed else { return nil }
        switch kind {
        // Bit maps, and inks of 8 bits, which may be a JPEG, are libtiff's.
        case .packed(let bits) where isGray && palette == nil && [1, 2, 4].contains(bits): return nil
        case .byte where colors == EASEL_TIFF_CMYK: return nil
        default: break
        }
    }

    private static func colorCount(_ colors: easel_tiff_colors) -> Int {
        colors == EASEL_TIFF_RGB ? 3 : colors == EASEL_TIFF_CMYK ? 4 : 1
    }

    var isPlanar: Bool { planeCount > 0 }
    var isGray: Bool { Self.colorCount(colors) == 1 }
    var isInverted: Bool { colors == EASEL_TIFF_GRAY_INVERTED }
    /// Which sample of a pixel is its alpha, where there is one.
    var alphaIndex: Int { Self.colorCount(colors) }

    /// Whether they have more than 8 bits, for deep pixels.
    var isDeep: Bool { kind.bitCount > 8 && palette == nil }

    /// Whether `readWords` gives colours that are multiplied by their alpha.
    var isPremultiplied: Bool { alpha == EASEL_TIFF_PREMULTIPLIED && !kind.isFloatingPoint }

    /// Bytes of so many pixels in a row, or of as many samples of one plane.
    func byteCount(width: Int, ofPlane: Bool = false) -> Int {
        (width * (ofPlane ? 1 : channels) * kind.bitCount + 7) / 8
    }

    /// Puts the samples of the planes, which lie `distance` bytes from each other, into a row whose pixels have all of theirs
    /// together.
    func interleave(_ planes: UnsafeRawPointer, distance: Int, width: Int, into row: UnsafeMutableRawPointer) {
        if kind == .byte, !isGray { return interleaveBytes(planes, distance, width, row) }
        for number in 0..<planeCount {
            interleave(planes + number * distance, number: number, width: width, into: row)
        }
    }

    private func interleaveBytes(
        _ planes: UnsafeRawPointer, _ distance: Int, _ width: Int, _ row: UnsafeMutableRawPointer
    ) {
        let red = planes.assumingMemoryBound(to: UInt8.self)
        let (green, blue) = (red + distance, red + distance * 2)
        let last = planeCount == 4 ? blue + distance : blue
        let words = row.assumingMemoryBound(to: UInt32.self)
        for x in 0..<width {
            let word = UInt32(red[x]) | UInt32(green[x]) << 8 | UInt32(blue[x]) << 16 | UInt32(last[x]) << 24
            words[x] = word.littleEndian
        }
    }

    private func interleave(
        _ plane: UnsafeRawPointer, number: Int, width: Int, into row: UnsafeMutableRawPointer
    ) {
        func copy<Sample: FixedWidthInteger & BitwiseCopyable>(_: Sample.Type) {
            let size = MemoryLayout<Sample>.size
            for x in 0..<width {
                row.storeBytes(
                    of: plane.loadUnaligned(fromByteOffset: x * size, as: Sample.self),
                    toByteOffset: (x * channels + number) * size, as: Sample.self)
            }
        }
        switch kind.bitCount {
        case 8: copy(UInt8.self)
        case 16: copy(UInt16.self)
        case 32: copy(UInt32.self)
        default: copy(UInt64.self)
        }
    }

    /// Writes `width` premultiplied pixels from samples of this machine's byte order; `row` has the bytes of as many.
    func expand(_ row: UnsafeRawPointer, width: Int, into pixels: UnsafeMutablePointer<UInt32>) {
        if let palette { return expand(row, width, pixels, palette) }
        // The commonest kinds go to 8 bits at once, the others by way of 16.
        let isPlain = colors != EASEL_TIFF_CMYK
        switch kind {
        case .byte: expandBytes(row.assumingMemoryBound(to: UInt8.self), width, pixels)
        case .short where isPlain:
            pack(width, pixels) {
                Self.byte(row.loadUnaligned(fromByteOffset: $0 &* 2, as: UInt16.self))
            } opacity: {
                Self.byte(row.loadUnaligned(fromByteOffset: $0 &* 2, as: UInt16.self))
            }
        case .float where isPlain && alpha != EASEL_TIFF_PREMULTIPLIED: expandLight(row, width, pixels)
        default:
            withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width * 4) { words in
                guard let words = words.baseAddress else { return }
                readWords(row, width: width, into: words)
                for x in 0..<width {
                    let word = words + x &* 4
                    pixels[x] = pixel(Self.byte(word[0]), Self.byte(word[1]), Self.byte(word[2]), Self.byte(word[3]))
                }
            }
        }
    }

    private func expandBytes(_ bytes: UnsafePointer<UInt8>, _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>) {
        if channels == 3, !isGray {
            for x in 0..<width {
                pixels[x] = PackedPixel.opaque(
                    red: bytes[x &* 3], green: bytes[x &* 3 &+ 1], blue: bytes[x &* 3 &+ 2])
            }
            return
        }
        if channels == 4, !isGray, alpha == EASEL_TIFF_OPAQUE {
            for x in 0..<width {
                pixels[x] = PackedPixel.opaque(
                    red: bytes[x &* 4], green: bytes[x &* 4 &+ 1], blue: bytes[x &* 4 &+ 2])
            }
            return
        }
        pack(width, pixels) {
            bytes[$0]
        } opacity: {
            bytes[$0]
        }
    }

    private func expandLight(_ row: UnsafeRawPointer, _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>) {
        let curve = OutputCurve.values
        pack(width, pixels) {
            curve[Self.step(row, $0, Int(EASEL_COLOR_ONE) + 1)]
        } opacity: {
            UInt8(truncatingIfNeeded: Self.step(row, $0, 256))
        }
    }

    /// `light` gives a sample of colour by its number in the row, `opacity` one of alpha.
    @inline(__always)
    private func pack(
        _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>, _ light: (Int) -> UInt8, opacity: (Int) -> UInt8
    ) {
        let mask: UInt8 = isInverted ? 255 : 0
        let (isGray, alphaIndex) = (isGray, alphaIndex)
        for x in 0..<width {
            let first = x &* channels
            let red = light(first) ^ mask
            let green = isGray ? red : light(first &+ 1)
            let blue = isGray ? red : light(first &+ 2)
            pixels[x] =
                alpha == EASEL_TIFF_OPAQUE
                ? PackedPixel.opaque(red: red, green: green, blue: blue)
                : pixel(red, green, blue, opacity(first &+ alphaIndex))
        }
    }

    /// Light from 0 to 1 as one of `count` steps. What is above or below, or no number, is the nearest of them, or 0.
    @inline(__always)
    private static func step(_ row: UnsafeRawPointer, _ index: Int, _ count: Int) -> Int {
        let sample = row.loadUnaligned(fromByteOffset: index &* 4, as: Float.self)
        return sample > 0 ? Int(min(sample, 1) * Float(count - 1) + 0.5) : 0
    }

    @inline(__always)
    func pixel(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ share: UInt8) -> UInt32 {
        guard isPremultiplied else {
            return PackedPixel.premultiplied(red: red, green: green, blue: blue, alpha: share)
        }
        // No component may be above the alpha, whatever the file says.
        return UInt32(share) << 24 | UInt32(min(red, share)) << 16 | UInt32(min(green, share)) << 8
            | UInt32(min(blue, share))
    }

    @inline(__always)
    private static func byte(_ word: UInt16) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(word) &* 255 &+ 32_767) / 65_535)
    }
}
#endif
