#if TIFF
import CEaselTIFF
import EaselCore

extension TIFFSamples {
    /// Reads the picture once more, all of it, with its 16 bits.
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

    /// Writes R, G, B, A of `width` pixels in 16 bits, as stored; of floating point what a screen takes, straight.
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

    /// A whole number, of which `most` is full, in 16 bits.
    @inline(__always)
    private static func word<Number: FixedWidthInteger>(_ number: Number, of most: Number) -> UInt16 {
        UInt16(truncatingIfNeeded: (UInt64(number) &* 65_535 &+ UInt64(most) / 2) / UInt64(most))
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

    /// - Parameter sample: gives one by its number in the row.
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
            // The plain formula: what the inks leave of the light.
            let black = UInt32(.max - sample(first &+ 3))
            for channel in 0..<3 {
                target[channel] = UInt16((UInt32(.max - target[channel]) &* black &+ 32_767) / 65_535)
            }
        }
    }

    /// The same of light, from 0 to 1; what is below or no number is 0, what is above is 1.
    @inline(__always)
    private func readLight(_ width: Int, _ words: UnsafeMutablePointer<UInt16>, _ sample: (Int) -> Float) {
        let (isGray, isPremultiplied) = (isGray, alpha == EASEL_TIFF_PREMULTIPLIED)
        let curve = OutputCurve.words
        for x in 0..<width {
            let (first, target) = (x &* channels, words + x &* 4)
            let share = alpha == EASEL_TIFF_OPAQUE ? 1 : Self.bounded(sample(first &+ alphaIndex))
            // Light is multiplied by alpha before the curve is applied, so that it is divided before.
            let scale = isPremultiplied ? (share > 0 ? 1 / share : 0) : 1
            let black = colors == EASEL_TIFF_CMYK ? 1 - Self.bounded(sample(first &+ 3)) : 0
            for channel in 0..<3 {
                let number = Self.bounded(sample(isGray ? first : first &+ channel) * scale)
                target[channel] =
                    colors == EASEL_TIFF_CMYK
                    ? UInt16((1 - number) * black * 65_535 + 0.5)
                    : OutputCurve.word(number, curve) ^ (isInverted ? .max : 0)
            }
            target[3] = UInt16(share * 65_535 + 0.5)
        }
    }

    @inline(__always)
    private static func bounded(_ number: Float) -> Float { number > 0 ? min(number, 1) : 0 }
}
#endif
