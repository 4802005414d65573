extension PixelBuffer {
    /// Returns the image scaled to `size` by Lanczos' filter of three lobes over the area of each new pixel.
    ///
    /// If the image shrinks to less than a quarter, blocks of pixels are averaged first, which saves most of the work.
    /// Colors stay premultiplied, so that the color of a transparent pixel never bleeds, and an opaque image stays
    /// opaque. The same size returns the same pixels without a copy.
    ///
    /// - Parameter size: both sides at least 1.
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` if the size exceeds the machine's memory.
    package func resized(to size: PixelSize, isCancelled: () -> Bool = { false }) throws(ImageError) -> PixelBuffer {
        try resized(to: size, extent: (Double(width), Double(height)), isCancelled: isCancelled)
    }

    /// Returns the image scaled as by `resized(to:isCancelled:)`, for pixels cut by the right and the bottom edge of
    /// the image: an image of 100 pixels reduced to eighths has 13 pixels, which represent 12.5.
    package func resized(
        to size: PixelSize, extent: (width: Double, height: Double), isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        guard size != self.size || extent != (Double(width), Double(height)) else { return self }
        let block = ResamplerBlocks.size(from: self.size, to: size)
        let source = try ResamplerBlocks.average(self, block: block, isCancelled)
        let columns = ResamplerWeights.cached(
            sourceCount: source.width, extent: extent.width / Double(block.width), targetCount: size.width)
        let rows = ResamplerWeights.cached(
            sourceCount: source.height, extent: extent.height / Double(block.height), targetCount: size.height)
        return try PixelBuffer(size: size, isOpaque: isOpaque) { (target, bytesPerRow) throws(ImageError) in
            try source.withUnsafeBytes { (bytes) throws(ImageError) in
                // One row between the two passes.
                var between = [Int16](repeating: 0, count: source.bytesPerRow + ResamplerWeights.slack * 4)
                for y in 0..<size.height {
                    if y % 16 == 0, isCancelled() { throw .cancelled }
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

/// Functions that average blocks of pixels before the filter.
package enum ResamplerBlocks {
    /// Returns the side of a block when `source` pixels become `target`.
    ///
    /// At least a factor of 2 is left to the filter: with less the result is visibly softer. Sums of a block's column
    /// fit 16 bits, and of a block 32, up to a side of 128.
    package static func side(from source: Int, to target: Int) -> Int {
        min(max(1, source / target / 2), 128)
    }

    static func size(from source: PixelSize, to target: PixelSize) -> PixelSize {
        PixelSize(side(from: source.width, to: target.width), side(from: source.height, to: target.height))
    }

    /// Returns the number of blocks of an image, including those that its right and bottom edges cut.
    static func count(of block: PixelSize, in size: PixelSize) -> PixelSize {
        PixelSize((size.width + block.width - 1) / block.width, (size.height + block.height - 1) / block.height)
    }

    /// Returns the means of blocks, rounded to nearest.
    static func average(
        _ source: PixelBuffer, block: PixelSize, _ isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        guard block.width > 1 || block.height > 1 else { return source }
        let size = count(of: block, in: source.size)
        return try PixelBuffer(size: size, isOpaque: source.isOpaque) { (target, bytesPerRow) throws(ImageError) in
            try source.withUnsafeBytes { (bytes) throws(ImageError) in
                var sums = [UInt16](repeating: 0, count: source.bytesPerRow)
                for y in 0..<size.height {
                    if y % 16 == 0, isCancelled() { throw .cancelled }
                    let firstRow = y * block.height
                    let rows = UnsafeRawBufferPointer(rebasing: bytes[(firstRow * source.bytesPerRow)...])
                    let rowCount = min(block.height, source.height - firstRow)
                    sums.withUnsafeMutableBufferPointer { sums in
                        PixelKernels.best.addRows(
                            rows, bytesPerRow: source.bytesPerRow, count: rowCount, into: sums)
                        let row = UnsafeMutableRawBufferPointer(rebasing: target[(y * bytesPerRow)...])
                        averageColumns(UnsafeBufferPointer(sums), source.width, block.width, rowCount, into: row)
                    }
                }
            }
        }
    }

    /// Writes the means of blocks from the sums of their columns; the last block may be narrower.
    private static func averageColumns(
        _ sums: UnsafeBufferPointer<UInt16>, _ width: Int, _ blockWidth: Int, _ rowCount: Int,
        into row: UnsafeMutableRawBufferPointer
    ) {
        let whole = width / blockWidth
        PixelKernels.best.averageColumns(
            sums, blockWidth: blockWidth, BlockDivisor(blockWidth * rowCount), into: row, count: whole)
        let rest = width - whole * blockWidth
        guard rest > 0 else { return }
        PixelKernels.best.averageColumns(
            UnsafeBufferPointer(rebasing: sums[(whole * blockWidth * 4)...]), blockWidth: rest,
            BlockDivisor(rest * rowCount), into: UnsafeMutableRawBufferPointer(rebasing: row[(whole * 4)...]), count: 1)
    }
}

/// A division of sums by the pixel count of a block, up to 128 x 128, by a multiplication: (sum + half) * reciprocal /
/// 2^24.
package struct BlockDivisor {
    let half: UInt32
    /// 255.5 times 2^24, and 255.5 for each pixel by which this rounded factor is too large, still fit a word.
    package let reciprocal: UInt32

    package init(_ count: Int) {
        half = UInt32(truncatingIfNeeded: count / 2)
        reciprocal = (1 << 24) / UInt32(truncatingIfNeeded: count) &+ 1
    }
}
