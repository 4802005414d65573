import EaselCore

/// Converts the samples of a restored row to premultiplied pixels.
struct PNGRowExpander {
    let colorType: PNGImageHeader.ColorType
    private let bitDepth: Int
    /// The pixel for each sample of up to 8 bits: gray levels or the palette, transparency included. Has 256 entries,
    /// so that any byte is a valid index; empty for other color types.
    private let table: [UInt32]
    /// The samples of the transparent color; empty if there is none.
    let transparentSamples: [UInt16]

    /// The conversion of 16-bit samples; `nil` if they already have the requested colors.
    var wordConversion: ColorConversion?

    /// Whether a pixel can be transparent.
    let hasAlpha: Bool

    init(_ file: PNGFile, in bytes: Span<UInt8>) {
        colorType = file.header.colorType
        bitDepth = file.header.bitDepth
        let transparency = Self.copy(file.transparency, of: bytes)
        transparentSamples = Self.samples(transparency, colorType)
        switch colorType {
        case .gray where bitDepth <= 8:
            table = Self.grayTable(bitDepth: bitDepth, transparent: transparentSamples.first)
        case .palette:
            table = Self.paletteTable(Self.copy(file.palette, of: bytes), transparency)
        default:
            table = []
        }
        hasAlpha =
            switch colorType {
            case .grayAlpha, .rgba: true
            case .gray, .rgb: !transparentSamples.isEmpty
            case .palette: table.contains { $0 >> 24 != 255 }
            }
    }

    /// Whether `expand` reports alphas.
    var seesAlpha: Bool { colorType == .rgba && bitDepth == 8 }

    /// Writes `width` pixels. Returns the bitwise AND of all alphas if `seesAlpha`, otherwise 255.
    ///
    /// `row` has `PNGImageHeader.rowByteCount` bytes plus `PixelKernels.slack`. `target` has room for `width` pixels.
    func expand(_ row: UnsafeRawBufferPointer, width: Int, into target: UnsafeMutableRawBufferPointer) -> UInt8 {
        if seesAlpha { return PixelKernels.best.expandRGBA(row, into: target, count: width) }
        if colorType == .rgb, bitDepth == 8 { PixelKernels.best.expandRGB(row, into: target, count: width) }
        guard let samples = row.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let pixels = target.baseAddress?.assumingMemoryBound(to: UInt32.self)
        else { return 255 }
        if !table.isEmpty {
            table.withUnsafeBufferPointer { PackedIndices.look(up: samples, width, bitDepth, $0, pixels) }
        } else if let wordConversion, bitDepth == 16 {
            convertWords(samples, width, wordConversion, into: pixels)
        } else if bitDepth == 16 {
            expandWide(samples, width, pixels)
        } else {
            finishBytes(samples, width, pixels)
        }
        return 255
    }

    /// Finishes the 8-bit conversions that kernels do not cover: gray with alpha, and the transparent color.
    private func finishBytes(_ row: UnsafePointer<UInt8>, _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>) {
        if colorType == .grayAlpha {
            for x in 0..<width {
                let gray = row[x &* 2]
                pixels[x] = PackedPixel.premultiplied(red: gray, green: gray, blue: gray, alpha: row[x &* 2 &+ 1])
            }
        }
        guard transparentSamples.count == 3 else { return }
        let (red, green, blue) = (transparentSamples[0], transparentSamples[1], transparentSamples[2])
        for x in 0..<width {
            let sample = row + x &* 3
            if sample[0] == red && sample[1] == green && sample[2] == blue { pixels[x] = 0 }
        }
    }

    private func expandWide(_ row: UnsafePointer<UInt8>, _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>) {
        let channels = colorType.channelCount
        let isColor = channels >= 3
        for x in 0..<width {
            let start = row + x &* channels &* 2
            let red = Self.rounded(start)
            let green = isColor ? Self.rounded(start.advanced(by: 2)) : red
            let blue = isColor ? Self.rounded(start.advanced(by: 4)) : red
            let alpha = channels % 2 == 0 ? Self.rounded(start.advanced(by: channels * 2 - 2)) : 255
            pixels[x] = PackedPixel.premultiplied(red: red, green: green, blue: blue, alpha: alpha)
        }
        guard !transparentSamples.isEmpty else { return }
        for x in 0..<width {
            let start = row + x &* channels &* 2
            let isTransparent = transparentSamples.indices.allSatisfy {
                Self.sample(start.advanced(by: $0 * 2)) == transparentSamples[$0]
            }
            if isTransparent { pixels[x] = 0 }
        }
    }

    @inline(__always)
    static func sample(_ start: UnsafePointer<UInt8>) -> UInt16 {
        UInt16(start[0]) << 8 | UInt16(start[1])
    }

    /// Rounds a 16-bit sample to 8 bits.
    @inline(__always)
    private static func rounded(_ start: UnsafePointer<UInt8>) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(sample(start)) &* 255 &+ 32895) >> 16)
    }

    private static func grayTable(bitDepth: Int, transparent: UInt16?) -> [UInt32] {
        let levels = 1 << bitDepth
        return (0..<256).map { index in
            if let transparent, index == Int(transparent) { return 0 }
            let gray = UInt8(min(index, levels - 1) * 255 / (levels - 1))
            return PackedPixel.opaque(red: gray, green: gray, blue: gray)
        }
    }

    /// Returns the palette as pixels. Indices beyond the palette are invalid; viewers show them as black.
    private static func paletteTable(_ palette: [UInt8], _ transparency: [UInt8]) -> [UInt32] {
        (0..<256).map { index in
            guard index < palette.count / 3 else { return PackedPixel.opaque(red: 0, green: 0, blue: 0) }
            return PackedPixel.premultiplied(
                red: palette[index * 3], green: palette[index * 3 + 1], blue: palette[index * 3 + 2],
                alpha: index < transparency.count ? transparency[index] : 255)
        }
    }

    /// Returns the samples of the transparent color in a tRNS chunk, for types without alpha or palette.
    private static func samples(_ transparency: [UInt8], _ colorType: PNGImageHeader.ColorType) -> [UInt16] {
        guard colorType == .gray || colorType == .rgb, transparency.count >= colorType.channelCount * 2 else {
            return []
        }
        return (0..<colorType.channelCount).map {
            UInt16(transparency[$0 * 2]) << 8 | UInt16(transparency[$0 * 2 + 1])
        }
    }

    private static func copy(_ range: Range<Int>?, of bytes: Span<UInt8>) -> [UInt8] {
        (range ?? 0..<0).map { bytes[$0] }
    }
}

extension PNGRaster {
    /// Returns the color space of the pixels; `nil` if it is the requested one.
    ///
    /// 16-bit samples are converted before they are reduced to 8 bits, to keep the precision that HDR needs.
    mutating func convertedColors(in bytes: Span<UInt8>, to space: ColorSpace) -> ColorDescription? {
        let colors = file.colors.description(in: bytes, isGray: file.header.colorType.isGray)
        guard file.header.bitDepth == 16 else { return colors }
        expander.wordConversion = ColorConversion.from(colors, to: space, of: .words)
        return expander.wordConversion == nil ? colors : nil
    }
}

extension PNGRowExpander {
    /// Converts `width` pixels of 16 bits a sample.
    func convertWords(
        _ row: UnsafePointer<UInt8>, _ width: Int, _ conversion: ColorConversion,
        into pixels: UnsafeMutablePointer<UInt32>
    ) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width * 4) { words in
            guard let start = words.baseAddress else { return }
            readWords(row, width, into: start)
            conversion.convertWords(start, to: pixels, count: width)
        }
    }

    /// Reads `width` pixels of 16 bits a sample as straight R, G, B, A, written at intervals of `step` pixels.
    func readWords(
        _ row: UnsafePointer<UInt8>, _ width: Int, into words: UnsafeMutablePointer<UInt16>, step: Int = 1
    ) {
        let channels = colorType.channelCount
        let isColor = channels >= 3
        for x in 0..<width {
            let source = row + x &* channels &* 2
            let target = words + x &* 4 &* step
            target[0] = Self.sample(source)
            target[1] = isColor ? Self.sample(source + 2) : target[0]
            target[2] = isColor ? Self.sample(source + 4) : target[0]
            target[3] = channels % 2 == 0 ? Self.sample(source + (channels * 2 - 2)) : .max
            let isTransparent =
                !transparentSamples.isEmpty
                && transparentSamples.indices.allSatisfy { target[$0] == transparentSamples[$0] }
            if isTransparent { target[3] = 0 }
        }
    }
}
