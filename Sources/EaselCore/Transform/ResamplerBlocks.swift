/// Averages blocks of pixels, which is how far the resampler's filter need not look.
enum ResamplerBlocks {
    /// The filter keeps at least this much to shrink by: with less its result is visibly softer.
    private static let keptRatio = 2
    /// Sums of a block's column fit 16 bits, and of a block 32, up to here.
    private static let largestSide = 128

    /// The side of a block when `source` pixels become `target`.
    static func side(from source: Int, to target: Int) -> Int {
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
                guard let from = bytes.baseAddress, let to = target.baseAddress else { return }
                var sums = [UInt16](repeating: 0, count: source.bytesPerRow)
                for y in 0..<size.height {
                    if y % 16 == 0, isCancelled() { throw .cancelled }
                    let firstRow = y * block.height
                    let rowCount = min(block.height, source.height - firstRow)
                    sums.withUnsafeMutableBufferPointer { sums in
                        guard let line = sums.baseAddress else { return }
                        addRows(from + firstRow * source.bytesPerRow, source.bytesPerRow, rowCount, into: line)
                        let row = (to + y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
                        averageColumns(line, source.width, block.width, rowCount, into: row)
                    }
                }
            }
        }
    }

    /// The sums of `count` rows, component by component. Rows have a multiple of 64 bytes, `line` as many values.
    private static func addRows(
        _ rows: UnsafeRawPointer, _ bytesPerRow: Int, _ count: Int, into line: UnsafeMutablePointer<UInt16>
    ) {
        for x in stride(from: 0, to: bytesPerRow, by: 16) {
            var sum = SIMD16<UInt16>()
            var place = rows + x
            for _ in 0..<count {
                sum &+= SIMD16<UInt16>(truncatingIfNeeded: place.loadUnaligned(as: SIMD16<UInt8>.self))
                place += bytesPerRow
            }
            UnsafeMutableRawPointer(line + x).storeBytes(of: sum, as: SIMD16<UInt16>.self)
        }
    }

    /// The means of blocks from the sums of their columns.
    private static func averageColumns(
        _ line: UnsafePointer<UInt16>, _ width: Int, _ blockWidth: Int, _ rowCount: Int,
        into row: UnsafeMutablePointer<UInt32>
    ) {
        let whole = width / blockWidth
        let divisor = BlockDivisor(blockWidth * rowCount)
        for x in 0..<whole { row[x] = divisor.mean(line + x * blockWidth * 4, blockWidth) }
        let rest = width - whole * blockWidth
        if rest > 0 { row[whole] = BlockDivisor(rest * rowCount).mean(line + whole * blockWidth * 4, rest) }
    }
}

/// Divides sums by the number of pixels in a block, up to 128 x 128, by a multiplication.
private struct BlockDivisor {
    private let half: SIMD4<UInt32>
    private let reciprocal: UInt32

    init(_ count: Int) {
        half = SIMD4(repeating: UInt32(truncatingIfNeeded: count / 2))
        reciprocal = (1 << 24) / UInt32(truncatingIfNeeded: count) &+ 1
    }

    /// The pixel that `count` sums side by side make.
    @inline(__always)
    func mean(_ sums: UnsafePointer<UInt16>, _ count: Int) -> UInt32 {
        var total = half
        for column in 0..<count {
            let sum = UnsafeRawPointer(sums).loadUnaligned(fromByteOffset: column &* 8, as: SIMD4<UInt16>.self)
            total &+= SIMD4<UInt32>(truncatingIfNeeded: sum)
        }
        // 255.5 times 2^24, and 255.5 for each pixel by which the rounded factor is too large, still fit the word.
        let means = (total &* reciprocal) &>> 24
        return means.x | means.y << 8 | means.z << 16 | means.w << 24
    }
}
