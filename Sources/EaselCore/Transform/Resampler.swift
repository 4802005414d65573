extension PixelBuffer {
    /// The picture scaled to `size`, with Lanczos' filter of three lobes over the area that each new pixel covers.
    ///
    /// Where the picture shrinks to less than a quarter, blocks of pixels are averaged first: what that costs in
    /// sharpness the filter still sees, and it saves most of the work. The colours stay premultiplied, so that the
    /// colour of a transparent pixel never bleeds, and an opaque picture stays opaque. The same size gives the same
    /// pixels without a copy.
    ///
    /// - Parameters:
    ///   - size: both sides at least 1.
    ///   - isCancelled: asked every few rows.
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` where the size does not fit the machine.
    public func resized(
        to size: PixelSize, isCancelled: () -> Bool = { false }
    ) throws(ImageError) -> PixelBuffer {
        try resized(to: size, extent: (Double(width), Double(height)), isCancelled: isCancelled)
    }

    /// As `resized(to:isCancelled:)`, for pixels that the right and the bottom edge of the picture cut: of a picture of
    /// 100 pixels that was reduced to eighths, 13 are there, and they stand for 12.5.
    package func resized(
        to size: PixelSize, extent: (width: Double, height: Double), isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        guard size != self.size || extent != (Double(width), Double(height)) else { return self }
        let block = PixelSize(
            ResamplerBlocks.side(from: width, to: size.width), ResamplerBlocks.side(from: height, to: size.height))
        let source = try ResamplerBlocks.averaged(self, block: block, isCancelled)
        let columns = ResamplerWeights.kept(
            sourceCount: source.width, extent: extent.width / Double(block.width), targetCount: size.width)
        let rows = ResamplerWeights.kept(
            sourceCount: source.height, extent: extent.height / Double(block.height), targetCount: size.height)
        return try PixelBuffer(size: size, isOpaque: isOpaque) { (target, bytesPerRow) throws(ImageError) in
            try source.withUnsafeBytes { (bytes) throws(ImageError) in
                // A row between the two passes: it stays in the nearest cache.
                var between = [Int16](repeating: 0, count: source.bytesPerRow + ResamplerWeights.slack * 4)
                for y in 0..<size.height {
                    if y % 16 == 0, isCancelled() { throw .cancelled }
                    // The rows from `starts[y]` on are `taps` rows of the source; all have `bytesPerRow` bytes.
                    let first = Int(rows.starts[y]) * source.bytesPerRow
                    between.withUnsafeMutableBufferPointer { line in
                        PixelKernels.best.blendRows(
                            UnsafeRawBufferPointer(rebasing: bytes[first...]), bytesPerRow: source.bytesPerRow,
                            weights: rows.weights(of: y), into: line)
                        PixelKernels.best.blendColumns(
                            UnsafeBufferPointer(line), columns,
                            into: UnsafeMutableRawBufferPointer(rebasing: target[(y * bytesPerRow)...]))
                    }
                }
            }
        }
    }
}
