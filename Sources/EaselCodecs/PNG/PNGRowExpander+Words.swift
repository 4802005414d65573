import EaselCore

extension PNGRaster {
    /// What the colours of the pixels are, `nil` for those that are asked for.
    ///
    /// Samples of 16 bits are converted before they are cut to 8, so that nothing of their precision is lost: HDR needs it.
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

    /// Straight R, G, B, A of `width` pixels of 16 bits a sample, one behind the other or with gaps of `step`.
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
