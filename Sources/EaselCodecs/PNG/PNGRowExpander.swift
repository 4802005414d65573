import EaselCore

/// A converter of the samples of a restored row to premultiplied pixels.
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
        let transparency = (file.transparency ?? 0..<0).map { bytes[$0] }
        // Types with alpha or a palette have no transparent color.
        let count = colorType == .gray || colorType == .rgb ? colorType.channelCount : 0
        transparentSamples =
            transparency.count < count * 2
            ? [] : (0..<count).map { UInt16(transparency[$0 * 2]) << 8 | UInt16(transparency[$0 * 2 + 1]) }
        switch colorType {
        case .gray where bitDepth <= 8:
            table = Self.grayTable(bitDepth: bitDepth, transparent: transparentSamples.first)
        case .palette:
            table = Self.paletteTable((file.palette ?? 0..<0).map { bytes[$0] }, transparency)
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
    var reportsAlpha: Bool { colorType == .rgba && bitDepth == 8 }

    /// Writes `width` pixels. Returns the bitwise AND of all alphas if `reportsAlpha`, otherwise 255.
    ///
    /// `row` has `PNGImageHeader.rowByteCount` bytes plus `PixelKernels.slack`. `target` has room for `width` pixels.
    func expand(_ row: UnsafeRawBufferPointer, width: Int, into target: UnsafeMutableRawBufferPointer) -> UInt8 {
        if reportsAlpha { return PixelKernels.best.expandRGBA(row, into: target, count: width) }
        if colorType == .rgb, bitDepth == 8 { PixelKernels.best.expandRGB(row, into: target, count: width) }
        guard let samples = row.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let pixels = target.baseAddress?.assumingMemoryBound(to: UInt32.self)
        else { return 255 }
        if !table.isEmpty {
            table.withUnsafeBufferPointer { PackedIndices.expand(samples, width, bitDepth, $0, pixels) }
        } else if bitDepth == 16 {
            convertWords(samples, width, into: pixels)
        } else {
            finishBytes(samples, width, pixels)
        }
        return 255
    }

    /// Writes `width` pixels at intervals of `step`, through `line`, which has room for them.
    func expand(
        _ row: UnsafeRawBufferPointer, width: Int, into target: UnsafeMutablePointer<UInt32>, step: Int,
        through line: UnsafeMutableRawBufferPointer
    ) -> UInt8 {
        if step == 1 {
            return expand(row, width: width, into: UnsafeMutableRawBufferPointer(start: target, count: width * 4))
        }
        let alpha = expand(row, width: width, into: line)
        let pixels = line.assumingMemoryBound(to: UInt32.self)
        for column in 0..<width { target[column &* step] = pixels[column] }
        return alpha
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

    @inline(__always)
    static func sample(_ start: UnsafePointer<UInt8>) -> UInt16 { UInt16(start[0]) << 8 | UInt16(start[1]) }

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
}

extension PNGRowExpander {
    /// Converts `width` pixels of 16 bits per sample.
    private func convertWords(_ row: UnsafePointer<UInt8>, _ width: Int, into pixels: UnsafeMutablePointer<UInt32>) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width * 4) { words in
            guard let start = words.baseAddress else { return }
            readWords(row, width, into: start)
            if let wordConversion { return wordConversion.convertWords(start, to: pixels, count: width) }
            func rounded(_ word: UInt16) -> UInt8 { UInt8(truncatingIfNeeded: (UInt32(word) &* 255 &+ 32895) >> 16) }
            for x in 0..<width {
                let word = start + x &* 4
                pixels[x] = PackedPixel.premultiplied(
                    red: rounded(word[0]), green: rounded(word[1]), blue: rounded(word[2]), alpha: rounded(word[3]))
            }
        }
    }

    /// Reads `width` pixels of 16 bits per sample as straight R, G, B, A, written at intervals of `step` pixels.
    func readWords(_ row: UnsafePointer<UInt8>, _ width: Int, into words: UnsafeMutablePointer<UInt16>, step: Int = 1) {
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
