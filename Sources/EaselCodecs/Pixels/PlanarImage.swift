import EaselCore

/// A YCbCr image (BT.601, 8 bits, 4:2:0): luma for every pixel, and two chroma components for each four pixels.
///
/// For much smaller sizes, blocks of each plane are averaged before color conversion, which reads half of the bytes.
final class PlanarImage {
    /// A plane. Rows are `bytesPerRow` apart, a multiple of 64. Bytes past `size.width` are undefined.
    struct Plane {
        let size: PixelSize
        let bytesPerRow: Int
        /// The offset in the image's memory.
        fileprivate let offset: Int

        var byteCount: Int { bytesPerRow * size.height }

        fileprivate init(_ size: PixelSize, at offset: Int) {
            self.size = size
            bytesPerRow = (size.width + 63) & ~63
            self.offset = offset
        }
    }

    let size: PixelSize
    let luma: Plane
    let blueDifference: Plane
    let redDifference: Plane
    private let memory: ScratchMemory

    /// Allocates an image of 1.5 bytes per pixel.
    ///
    /// - Throws: `ImageError.tooLarge` if the size overflows.
    init(_ size: PixelSize) throws(ImageError) {
        // Products of two such sides do not overflow.
        guard max(size.width, size.height) < 1 << 28 else { throw .tooLarge(.pixels(size, limit: Int.max)) }
        let half = PixelSize((size.width + 1) / 2, (size.height + 1) / 2)
        self.size = size
        luma = Plane(size, at: 0)
        blueDifference = Plane(half, at: luma.byteCount)
        redDifference = Plane(half, at: luma.byteCount + blueDifference.byteCount)
        memory = try ScratchMemory(count: redDifference.offset + redDifference.byteCount, for: size)
    }

    /// Returns the bytes of a plane. The pointer must not outlive this object.
    func bytes(of plane: Plane) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory.bytes[plane.offset..<plane.offset + plane.byteCount])
    }

    /// Returns opaque pixels, each the mean of a block. Blocks at the right and the bottom edge can be clipped.
    ///
    /// - Parameters:
    ///   - block: both sides even, from 2 to 128.
    ///   - rowCount: the number of valid rows. Incomplete blocks are transparent.
    /// - Throws: `ImageError.cancelled`.
    func average(block: PixelSize, rowCount: Int, isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let half = PixelSize(block.width / 2, block.height / 2)
        let target = PixelSize(
            (size.width + block.width - 1) / block.width, (size.height + block.height - 1) / block.height)
        let isComplete = rowCount == size.height
        let blockCount = isComplete ? target.height : rowCount / block.height
        var sums = [UInt16](repeating: 0, count: luma.bytesPerRow + 2 * blueDifference.bytesPerRow)
        return try PixelBuffer(size: target, isOpaque: isComplete) { (pixels, bytesPerRow) throws(ImageError) in
            UnsafeMutableRawBufferPointer(rebasing: pixels[(blockCount * bytesPerRow)...])
                .initializeMemory(as: UInt8.self, repeating: 0)
            for y in 0..<blockCount {
                if y % 16 == 0, isCancelled() { throw .cancelled }
                sums.withUnsafeMutableBufferPointer { sums in
                    var remainingSums = sums[...]
                    let row = BlockRow(
                        luma: sum(luma, block, y, into: &remainingSums),
                        blueDifference: sum(blueDifference, half, y, into: &remainingSums),
                        redDifference: sum(redDifference, half, y, into: &remainingSums))
                    row.writePixels(UnsafeMutableRawBufferPointer(rebasing: pixels[(y * bytesPerRow)...]), target.width)
                }
            }
        }
    }

    /// Adds up the pixel rows of the row of blocks `y`. Removes the used part from the front of `sums`.
    private func sum(
        _ plane: Plane, _ block: PixelSize, _ y: Int, into sums: inout Slice<UnsafeMutableBufferPointer<UInt16>>
    ) -> BlockSums {
        let line = UnsafeMutableBufferPointer(rebasing: sums.prefix(plane.bytesPerRow))
        sums = sums.dropFirst(plane.bytesPerRow)
        let firstRow = y * block.height
        let rowCount = min(block.height, plane.size.height - firstRow)
        let rows = UnsafeRawBufferPointer(rebasing: bytes(of: plane)[(firstRow * plane.bytesPerRow)...])
        PixelKernels.best.addRows(rows, bytesPerRow: plane.bytesPerRow, count: rowCount, into: line)
        return BlockSums(UnsafeBufferPointer(rebasing: line[..<plane.size.width]), block.width, rowCount: rowCount)
    }
}

/// The column sums of a plane over a row of blocks.
private struct BlockSums {
    private let columns: UnsafeBufferPointer<UInt16>
    private let blockWidth: Int
    private let wholeCount: Int
    private let whole: BlockDivisor
    /// The divisor of the block clipped by the right edge.
    private let cut: BlockDivisor

    init(_ columns: UnsafeBufferPointer<UInt16>, _ blockWidth: Int, rowCount: Int) {
        self.columns = columns
        self.blockWidth = blockWidth
        wholeCount = columns.count / blockWidth
        whole = BlockDivisor(blockWidth * rowCount)
        cut = BlockDivisor(max(1, columns.count % blockWidth) * rowCount)
    }

    /// Returns the mean of a block, in 256ths.
    func mean(_ block: Int) -> Int32 {
        let start = block &* blockWidth
        var sum: UInt32 = 0
        for column in start..<min(start &+ blockWidth, columns.count) { sum &+= UInt32(columns[column]) }
        let divisor = block < wholeCount ? whole : cut
        return Int32(truncatingIfNeeded: (sum &* divisor.reciprocal) >> 16)
    }
}

/// The sums of a row of blocks.
private struct BlockRow {
    let luma: BlockSums
    let blueDifference: BlockSums
    let redDifference: BlockSums

    /// The BT.601 coefficients for B, G, R, times 2^12, for luma from 16 to 235 and chroma from 16 to 240 around 128.
    /// The alpha of 255 is added at the end.
    private static let perLuma = SIMD4<Int32>(4_769, 4_769, 4_769, 0)
    private static let perBlueDifference = SIMD4<Int32>(8_263, -1_605, 0, 0)
    private static let perRedDifference = SIMD4<Int32>(0, -3_330, 6_537, 0)
    /// One half, to round to nearest, and the alpha.
    private static let constant = SIMD4<Int32>(0, 0, 0, 255 << 20) &+ (1 << 19)

    func writePixels(_ pixels: UnsafeMutableRawBufferPointer, _ count: Int) {
        for x in 0..<count {
            // Eight fractional bits of the means, and twelve of the coefficients.
            let color =
                Self.perLuma &* (luma.mean(x) &- (16 << 8))
                &+ Self.perBlueDifference &* (blueDifference.mean(x) &- (128 << 8))
                &+ Self.perRedDifference &* (redDifference.mean(x) &- (128 << 8)) &+ Self.constant
            let pixel = (color &>> 20).clamped(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
            pixels.storeBytes(of: SIMD4<UInt8>(truncatingIfNeeded: pixel), toByteOffset: x * 4, as: SIMD4<UInt8>.self)
        }
    }
}
