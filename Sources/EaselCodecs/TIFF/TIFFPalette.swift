#if TIFF
import CEaselTIFF
import EaselCore

/// The colours of a TIFF whose pixels are an index and further samples. libtiff reads those of an index alone.
struct TIFFPalette {
    /// Opaque pixels, one for every value that a sample can have.
    let colors: [UInt32]
    private let bits: Int

    /// `nil` without a palette, and for samples that are no indices.
    init?(_ fields: easel_tiff_header, _ kind: TIFFSampleKind) {
        switch kind {
        case .byte, .short, .packed: bits = kind.bitCount
        default: return nil
        }
        guard fields.colors == EASEL_TIFF_PALETTE, let red = fields.palette.0, let green = fields.palette.1,
            let blue = fields.palette.2
        else { return nil }
        let values = 0..<(1 << bits)
        // Some programs write numbers of 8 bits in place of 16, and libtiff reads them as such.
        let isWide = values.contains { red[$0] > 255 || green[$0] > 255 || blue[$0] > 255 }
        func byte(_ word: UInt16) -> UInt8 {
            UInt8(truncatingIfNeeded: isWide ? UInt32(word) * 255 / 65_535 : UInt32(word))
        }
        colors = values.map { PackedPixel.opaque(red: byte(red[$0]), green: byte(green[$0]), blue: byte(blue[$0])) }
    }

    /// A sample that is alpha, in 8 bits.
    func alpha(_ sample: Int) -> UInt8 {
        let most = colors.count - 1
        return UInt8(truncatingIfNeeded: (sample * 255 + most / 2) / most)
    }
}

extension TIFFSamples {
    /// Writes `width` premultiplied pixels of a palette's colours.
    func expand(
        _ row: UnsafeRawPointer, _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>, _ palette: TIFFPalette
    ) {
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
