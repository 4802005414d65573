extension PixelBuffer {
    /// Returns the image scaled as by `resized(to:isCancelled:)`, but in linear light instead of levels: fine bright patterns
    /// keep their brightness (a checkerboard of black and white becomes 188, not 128). Several times as slow. Assumes sRGB's
    /// curve, which all images have except unconverted ones.
    ///
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` if the size exceeds the machine's memory.
    public func resizedInLinearLight(
        to size: PixelSize, isCancelled: () -> Bool = { false }
    ) throws(ImageError) -> PixelBuffer {
        guard size != self.size else { return self }
        var rows = LightRows(self, size)
        var resampler = LightResampler(rows.size, extent: rows.extent, to: size)
        return try .rows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, target in
            let light = resampler.row(y) { rows.read($0, into: $1) }
            for x in 0..<size.width {
                let color = SIMD4(light[x * 4], light[x * 4 + 1], light[x * 4 + 2], light[x * 4 + 3])
                target[x] = LinearLight.shared.pixel(of: color)
            }
        }
    }
}

/// Resamples rows of pixels of four floating-point numbers, in order.
struct LightResampler {
    private let rows: LightWeights
    private let columns: LightWeights
    private var ring: LightRing
    private var nextRow = 0
    /// One row between the two passes.
    private var line: [Float]
    private var result: [Float]

    /// - Parameters:
    ///   - source: the number of source pixels.
    ///   - extent: their size: the last ones may represent less than a whole.
    init(_ source: PixelSize, extent: (width: Double, height: Double), to size: PixelSize) {
        columns = LightWeights(
            ResamplerWeights(sourceCount: source.width, extent: extent.width, targetCount: size.width))
        rows = LightWeights(
            ResamplerWeights(sourceCount: source.height, extent: extent.height, targetCount: size.height))
        ring = LightRing(width: source.width, rowCount: rows.places.taps)
        line = [Float](repeating: 0, count: ring.rowLength)
        result = [Float](repeating: 0, count: size.width * 4)
    }

    /// Returns row `y` of the result, four numbers a pixel. Rows are requested in order.
    ///
    /// - Parameter read: writes a row of the source. Rows that contribute to no row of the result are not read.
    mutating func row(_ y: Int, _ read: (_ row: Int, UnsafeMutableBufferPointer<Float>) -> Void) -> [Float] {
        let start = Int(rows.places.starts[y])
        while nextRow < start + rows.places.taps {
            if nextRow >= start { ring.withRow(nextRow) { read(nextRow, $0) } }
            nextRow += 1
        }
        line.withUnsafeMutableBufferPointer { line in
            PixelKernels.best.blendLightRows(
                ring, first: start % ring.rowCount, weights: rows.weights(of: y), into: line)
            result.withUnsafeMutableBufferPointer { result in
                PixelKernels.best.blendLightColumns(UnsafeBufferPointer(line), columns, into: result)
            }
        }
        return result
    }
}

/// The resampler's weights as floating-point numbers of the same values.
struct LightWeights {
    let places: ResamplerWeights
    let values: [Float]

    init(_ places: ResamplerWeights) {
        self.places = places
        var values: [Float] = []
        places.withUnsafeWeights { starts, weights in
            values = (0..<places.starts.count * places.stride).map { Float(weights[$0]) / Float(ResamplerWeights.one) }
        }
        self.values = values
    }

    /// The `taps` weights of one target pixel.
    func weights(of target: Int) -> ArraySlice<Float> {
        values[(target * places.stride)..<(target * places.stride + places.taps)]
    }
}

/// The rows that the filter reads at a time. Row `n` of the source is at `n % rowCount`.
struct LightRing {
    let rowCount: Int
    /// Numbers in a row: a multiple of 16, with zeros after its pixels and the slack that kernels read.
    let rowLength: Int
    var values: [Float]

    init(width: Int, rowCount: Int) {
        self.rowCount = rowCount
        rowLength = ((width + ResamplerWeights.slack) * 4 + 15) & ~15
        values = [Float](repeating: 0, count: rowLength * rowCount)
    }

    /// Calls `body` to write a row of the source.
    mutating func withRow(_ row: Int, _ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
        let start = row % rowCount * rowLength
        values.withUnsafeMutableBufferPointer {
            body(UnsafeMutableBufferPointer(rebasing: $0[start..<(start + rowLength)]))
        }
    }
}

/// The light of an image's rows, or of rows of blocks if it shrinks a lot.
private struct LightRows {
    private let source: PixelBuffer
    private let block: PixelSize
    /// In blocks.
    let size: PixelSize
    private var sums: [Float]

    init(_ source: PixelBuffer, _ target: PixelSize) {
        self.source = source
        block = ResamplerBlocks.size(from: source.size, to: target)
        size = ResamplerBlocks.count(of: block, in: source.size)
        sums = [Float](repeating: 0, count: source.width * 4)
    }

    var extent: (width: Double, height: Double) {
        (Double(source.width) / Double(block.width), Double(source.height) / Double(block.height))
    }

    /// Writes the means of a row of blocks. The right and the bottom edge may cut a block.
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
            // The sums of blocks of one pixel are the means.
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
