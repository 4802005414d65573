/// Averages blocks of pixels, which is how far the resampler's filter need not look.
package enum ResamplerBlocks {
    /// The filter keeps at least this much to shrink by: with less its result is visibly softer.
    private static let keptRatio = 2
    /// Sums of a block's column fit 16 bits, and of a block 32, up to here.
    private static let largestSide = 128

    /// The side of a block when `source` pixels become `target`.
    package static func side(from source: Int, to target: Int) -> Int {
        min(max(1, source / target / keptRatio), largestSide)
    }

    /// A picture of the means of blocks, rounded to nearest. At the right and at the bottom a block may be cut.
    static func averaged(
        _ source: PixelBuffer, block: PixelSize, _ isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        guard block.width > 1 || block.height > 1 else { return source }
        let size = PixelSize(
            (source.width + block.width - 1) / block.width, (source.height + block.height - 1) / block.height)
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

    /// The means of blocks from the sums of their columns; the last block may be narrower.
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

/// Divides sums by the number of pixels in a block, up to 128 x 128, by a multiplication: (sum + half) * reciprocal / 2^24.
package struct BlockDivisor {
    let half: UInt32
    /// 255.5 times 2^24, and 255.5 for each pixel by which this rounded factor is too large, still fit a word.
    package let reciprocal: UInt32

    package init(_ count: Int) {
        half = UInt32(truncatingIfNeeded: count / 2)
        reciprocal = (1 << 24) / UInt32(truncatingIfNeeded: count) &+ 1
    }
}
