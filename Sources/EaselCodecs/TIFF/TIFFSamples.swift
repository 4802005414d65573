#if TIFF
import CEaselPixels
import CEaselTIFF
import EaselCore

/// A converter of the most common kinds of TIFF samples to pixels: gray, RGB and CMYK, with or without alpha, integers
/// or floating point, chunky or planar. libtiff converts all other kinds to RGBA.
struct TIFFSamples {
    let kind: TIFFSampleKind
    let colors: easel_tiff_colors
    let alpha: easel_tiff_alpha
    /// The samples of a pixel in a row, after planes are interleaved.
    let channels: Int
    /// The number of planes to read, without invisible ones; 0 for chunky images.
    let planeCount: Int
    /// The color of each value of the first sample; `nil` if samples are colors.
    let palette: TIFFPalette?

    /// Returns `nil` for other kinds of samples.
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
        channels = fields.is_planar ? needed : Int(fields.samples_per_pixel)
        guard fields.samples_per_pixel >= needed else { return nil }
        switch kind {
        // libtiff converts bilevel images, and 8-bit CMYK, which may be JPEG-compressed.
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
    /// The index of the alpha sample, if there is one.
    var alphaIndex: Int { Self.colorCount(colors) }

    /// Whether samples have more than 8 bits, for deep pixels.
    var isDeep: Bool { kind.bitCount > 8 && palette == nil }

    /// Whether `readWords` returns premultiplied colors.
    var isPremultiplied: Bool { alpha == EASEL_TIFF_PREMULTIPLIED && !kind.isFloatingPoint }

    /// Returns the byte count of `width` pixels, or of as many samples of one plane.
    func byteCount(width: Int, ofPlane: Bool = false) -> Int {
        (width * (ofPlane ? 1 : channels) * kind.bitCount + 7) / 8
    }

    /// Interleaves the samples of planes, which are `distance` bytes apart, into a row.
    func interleave(_ planes: UnsafeRawPointer, distance: Int, width: Int, into row: UnsafeMutableRawPointer) {
        for number in 0..<planeCount {
            interleave(planes + number * distance, number: number, width: width, into: row)
        }
    }

    private func interleave(_ plane: UnsafeRawPointer, number: Int, width: Int, into row: UnsafeMutableRawPointer) {
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

    /// Writes `width` premultiplied pixels. Samples have the byte order of the machine.
    func expand(_ row: UnsafeRawPointer, width: Int, into pixels: UnsafeMutablePointer<UInt32>) {
        if let palette { return expand(row, width, pixels, palette) }
        // The most common kinds are converted to 8 bits directly, the others through 16 bits.
        let isPlain = colors != EASEL_TIFF_CMYK
        switch kind {
        case .byte: expandBytes(row.assumingMemoryBound(to: UInt8.self), width, pixels)
        case .short where isPlain:
            pack(width, pixels) { index, _ in
                Self.byte(row.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self))
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
                pixels[x] = PackedPixel.opaque(red: bytes[x &* 3], green: bytes[x &* 3 &+ 1], blue: bytes[x &* 3 &+ 2])
            }
            return
        }
        if channels == 4, !isGray, alpha == EASEL_TIFF_OPAQUE {
            for x in 0..<width {
                pixels[x] = PackedPixel.opaque(red: bytes[x &* 4], green: bytes[x &* 4 &+ 1], blue: bytes[x &* 4 &+ 2])
            }
            return
        }
        pack(width, pixels) { index, _ in bytes[index] }
    }

    private func expandLight(_ row: UnsafeRawPointer, _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>) {
        let curve = OutputCurve.values
        pack(width, pixels) { index, isAlpha in
            isAlpha
                ? UInt8(truncatingIfNeeded: Self.step(row, index, 256))
                : curve[Self.step(row, index, Int(EASEL_COLOR_ONE) + 1)]
        }
    }

    /// - Parameter sample: returns a sample by its index in the row.
    @inline(__always)
    private func pack(
        _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>, _ sample: (_ index: Int, _ isAlpha: Bool) -> UInt8
    ) {
        let mask: UInt8 = isInverted ? 255 : 0
        let (isGray, alphaIndex) = (isGray, alphaIndex)
        for x in 0..<width {
            let first = x &* channels
            let red = sample(first, false) ^ mask
            let green = isGray ? red : sample(first &+ 1, false)
            let blue = isGray ? red : sample(first &+ 2, false)
            pixels[x] =
                alpha == EASEL_TIFF_OPAQUE
                ? PackedPixel.opaque(red: red, green: green, blue: blue)
                : pixel(red, green, blue, sample(first &+ alphaIndex, true))
        }
    }

    /// Converts light from 0 to 1 to one of `count` steps. Clamps values out of range; NaN becomes 0.
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
        // Clamps components to the alpha, in case the file violates this.
        return UInt32(share) << 24 | UInt32(min(red, share)) << 16 | UInt32(min(green, share)) << 8
            | UInt32(min(blue, share))
    }

    @inline(__always)
    private static func byte(_ word: UInt16) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(word) &* 255 &+ 32_767) / 65_535)
    }
}

extension TIFFSamples {
    /// Reads the whole image again, in 16 bits.
    ///
    /// - Throws: `ImageError.badData`, `.tooLarge`, `.cancelled`.
    func deepPixels(
        _ reader: borrowing TIFFReader, size: PixelSize, isCancelled: () -> Bool
    ) throws(ImageError) -> DeepRaster {
        let raster = try DeepRaster(size)
        let isComplete = try reader.forEachRun(
            of: size, self, isCancelled: isCancelled, missing: { _ in }
        ) { source, x, y, width in
            if let row = raster.row(y).baseAddress { readWords(source, width: width, into: row + x * 4) }
        }
        guard isComplete else { throw reader.failure }
        raster.finish(bits: 16, isPremultiplied: isPremultiplied)
        return raster
    }

    /// Writes `width` pixels as 16-bit R, G, B, A: integers as stored, floating point encoded and straight.
    func readWords(_ row: UnsafeRawPointer, width: Int, into words: UnsafeMutablePointer<UInt16>) {
        @inline(__always)
        func sample<Sample: BitwiseCopyable>(_ index: Int, _: Sample.Type) -> Sample {
            row.loadUnaligned(fromByteOffset: index &* MemoryLayout<Sample>.size, as: Sample.self)
        }
        switch kind {
        case .byte: read(width, words) { UInt16(sample($0, UInt8.self)) &* 257 }
        case .short: read(width, words) { sample($0, UInt16.self) }
        case .long: read(width, words) { Self.word(sample($0, UInt32.self), of: .max) }
        case .signedByte: read(width, words) { Self.word(max(sample($0, Int8.self), 0), of: .max) }
        case .signedShort: read(width, words) { Self.word(max(sample($0, Int16.self), 0), of: .max) }
        case .signedLong: read(width, words) { Self.word(max(sample($0, Int32.self), 0), of: .max) }
        case .packed(let bits):
            read(width, words) { Self.word(Self.packed(row, $0, bits), of: UInt32(1) << UInt32(bits) &- 1) }
        case .half: readLight(width, words) { TIFFSampleKind.number(half: sample($0, UInt16.self)) }
        case .float: readLight(width, words) { sample($0, Float.self) }
        case .double: readLight(width, words) { Float(sample($0, Double.self)) }
        }
    }

    /// Scales an integer with the given maximum to 16 bits.
    @inline(__always)
    private static func word<Number: FixedWidthInteger>(_ number: Number, of maximum: Number) -> UInt16 {
        UInt16(truncatingIfNeeded: (UInt64(number) &* 65_535 &+ UInt64(maximum) / 2) / UInt64(maximum))
    }

    @inline(__always)
    static func packed(_ row: UnsafeRawPointer, _ index: Int, _ bits: Int) -> UInt32 {
        let start = index &* bits
        let count = (start & 7) &+ bits
        var value: UInt32 = 0
        for byte in 0..<((count &+ 7) >> 3) {
            value = value << 8 | UInt32(row.load(fromByteOffset: start >> 3 &+ byte, as: UInt8.self))
        }
        return (value >> UInt32((8 &- count & 7) & 7)) & (1 << UInt32(bits) &- 1)
    }

    /// - Parameter sample: returns a sample by its index in the row.
    @inline(__always)
    private func read(_ width: Int, _ words: UnsafeMutablePointer<UInt16>, _ sample: (Int) -> UInt16) {
        let mask: UInt16 = isInverted ? .max : 0
        for x in 0..<width {
            let (first, target) = (x &* channels, words + x &* 4)
            target[0] = sample(first) ^ mask
            target[1] = isGray ? target[0] : sample(first &+ 1)
            target[2] = isGray ? target[0] : sample(first &+ 2)
            target[3] = alpha == EASEL_TIFF_OPAQUE ? .max : sample(first &+ alphaIndex)
            guard colors == EASEL_TIFF_CMYK else { continue }
            // The simple formula: each ink scales the light.
            let black = UInt32(.max - sample(first &+ 3))
            for channel in 0..<3 {
                target[channel] = UInt16((UInt32(.max - target[channel]) &* black &+ 32_767) / 65_535)
            }
        }
    }

    /// Converts light from 0 to 1 to 16 bits. Clamps values out of range; NaN becomes 0.
    @inline(__always)
    private func readLight(_ width: Int, _ words: UnsafeMutablePointer<UInt16>, _ sample: (Int) -> Float) {
        let (isGray, isPremultiplied) = (isGray, alpha == EASEL_TIFF_PREMULTIPLIED)
        let curve = OutputCurve.words
        for x in 0..<width {
            let (first, target) = (x &* channels, words + x &* 4)
            let share = alpha == EASEL_TIFF_OPAQUE ? 1 : Self.clamped(sample(first &+ alphaIndex))
            // Light is unpremultiplied before the transfer curve is applied.
            let scale = isPremultiplied ? (share > 0 ? 1 / share : 0) : 1
            let black = colors == EASEL_TIFF_CMYK ? 1 - Self.clamped(sample(first &+ 3)) : 0
            for channel in 0..<3 {
                let number = Self.clamped(sample(isGray ? first : first &+ channel) * scale)
                target[channel] =
                    colors == EASEL_TIFF_CMYK
                    ? UInt16((1 - number) * black * 65_535 + 0.5)
                    : OutputCurve.word(number, curve) ^ (isInverted ? .max : 0)
            }
            target[3] = UInt16(share * 65_535 + 0.5)
        }
    }

    @inline(__always)
    private static func clamped(_ number: Float) -> Float { number > 0 ? min(number, 1) : 0 }
}
#endif
