extension PixelBuffer {
    /// The picture scaled as `resized(to:isCancelled:)` does it, but by mixing light in place of the levels that stand for it:
    /// fine bright patterns keep their brightness, which levels make darker (a checkerboard of black and white becomes
    /// 188, not 128). A few times as slow. The colours have sRGB's curve, as those of all pictures have that are not
    /// left unconverted.
    ///
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` where the size does not fit the machine.
    public func resizedInLinearLight(
        to size: PixelSize, isCancelled: () -> Bool = { false }
    ) throws(ImageError) -> PixelBuffer {
        guard size != self.size else { return self }
        var rows = LinearRows(self, size)
        var resampler = LightResampler(rows.size, extent: rows.extent, to: size)
        return try .rows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, target in
            resampler.row(y, { rows.read($0, into: $1) }) { light in
                for x in 0..<size.width {
                    let color = SIMD4(light[x * 4], light[x * 4 + 1], light[x * 4 + 2], light[x * 4 + 3])
                    target[x] = LinearLight.shared.pixel(of: color)
                }
            }
        }
    }
}

/// Resamples rows of pixels of four floating-point numbers, which come in order.
struct LightResampler {
    private let rows: LightWeights
    private let columns: LightWeights
    private var ring: LightRing
    private var nextRow = 0
    /// What the filter makes of the rows for one row of the result, and then of its columns.
    private var line: [Float]
    private var result: [Float]

    /// - Parameters:
    ///   - source: the pixels that there are.
    ///   - extent: the size that they stand for: the last ones may stand for less than a whole.
    init(_ source: PixelSize, extent: (width: Double, height: Double), to size: PixelSize) {
        columns = LightWeights(
            ResamplerWeights(sourceCount: source.width, extent: extent.width, targetCount: size.width))
        rows = LightWeights(
            ResamplerWeights(sourceCount: source.height, extent: extent.height, targetCount: size.height))
        ring = LightRing(width: source.width, rowCount: rows.places.taps)
        line = [Float](repeating: 0, count: ring.rowLength)
        result = [Float](repeating: 0, count: size.width * 4)
    }

    /// Makes row `y` of the result. Rows are asked for in order.
    ///
    /// - Parameters:
    ///   - read: writes a row of the source. Rows that no row of the result reaches are not read.
    ///   - take: is given the result, four numbers a pixel.
    mutating func row(
        _ y: Int, _ read: (_ row: Int, UnsafeMutableBufferPointer<Float>) -> Void, _ take: ([Float]) -> Void
    ) {
        let start = Int(rows.places.starts[y])
        while nextRow < start + rows.places.taps {
            if nextRow >= start { ring.withRow(nextRow) { read(nextRow, $0) } }
            nextRow += 1
        }
        let kernels = PixelKernels.best
        line.withUnsafeMutableBufferPointer { line in
            kernels.blendLightRows(ring, first: start % ring.rowCount, weights: rows.weights(of: y), into: line)
            result.withUnsafeMutableBufferPointer { result in
                kernels.blendLightColumns(UnsafeBufferPointer(line), columns, into: result)
            }
        }
        take(result)
    }
}

/// The light of a picture's rows, of blocks of pixels where it shrinks a lot.
private struct LinearRows {
    private let source: PixelBuffer
    private let block: PixelSize
    /// Of blocks.
    let size: PixelSize
    private var sums: [Float]

    init(_ source: PixelBuffer, _ target: PixelSize) {
        self.source = source
        block = PixelSize(
            ResamplerBlocks.side(from: source.width, to: target.width),
            ResamplerBlocks.side(from: source.height, to: target.height))
        size = PixelSize(
            (source.width + block.width - 1) / block.width, (source.height + block.height - 1) / block.height)
        sums = [Float](repeating: 0, count: source.width * 4)
    }

    var extent: (width: Double, height: Double) {
        (Double(source.width) / Double(block.width), Double(source.height) / Double(block.height))
    }

    /// The means of a row of blocks. At the right and at the bottom a block may be cut.
    mutating func read(_ row: Int, into line: UnsafeMutableBufferPointer<Float>) {
        let first = row * block.height
        let rowCount = min(block.height, source.height - first)
        let (width, side) = (source.width, block.width)
        let whole = width / side
        let kernels = PixelKernels.best
        source.withUnsafeBytes { bytes in
            let rows = UnsafeRawBufferPointer(rebasing: bytes[(first * source.bytesPerRow)...])
            func add(into sums: UnsafeMutableBufferPointer<Float>) {
                kernels.addLight(
                    rows, bytesPerRow: source.bytesPerRow, rowCount: rowCount, LinearLight.shared.lights, into: sums,
                    count: width)
            }
            // Of blocks of one pixel the sums are the means.
            guard side * rowCount > 1 else { return add(into: line) }
            sums.withUnsafeMutableBufferPointer { sums in
                add(into: sums)
                let columns = UnsafeBufferPointer(sums)
                kernels.averageLight(columns, blockWidth: side, area: side * rowCount, into: line, count: whole)
                let rest = width - whole * side
                guard rest > 0 else { return }
                kernels.averageLight(
                    UnsafeBufferPointer(rebasing: columns[(whole * side * 4)...]), blockWidth: rest,
                    area: rest * rowCount, into: UnsafeMutableBufferPointer(rebasing: line[(whole * 4)...]), count: 1)
            }
        }
    }
}
