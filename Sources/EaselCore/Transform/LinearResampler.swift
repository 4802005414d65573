extension PixelBuffer {
    /// The picture scaled as `resized(to:isCancelled:)` does it, but by mixing light in place of the levels that stand for it:
    /// fine bright patterns keep their brightness, which levels make darker (a checkerboard of black and white becomes
    /// 188, not 128). Several times as slow. The colours have sRGB's curve, as those of all pictures have that are not
    /// left unconverted.
    ///
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` where the size does not fit the machine.
    public func resizedInLinearLight(
        to size: PixelSize, isCancelled: () -> Bool = { false }
    ) throws(ImageError) -> PixelBuffer {
        guard size != self.size else { return self }
        var rows = LinearRows(self, size)
        let columns = rows.columns
        return try .rows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, target in
            rows.blend(upTo: y)
            columns.withUnsafeWeights { starts, weights in
                for x in 0..<size.width {
                    var sum = SIMD4<Float>.zero
                    for tap in 0..<columns.taps {
                        sum += rows.line[Int(starts[x]) + tap] * Float(weights[x * columns.stride + tap])
                    }
                    target[x] = LinearLight.shared.pixel(of: sum / Float(ResamplerWeights.one))
                }
            }
        }
    }
}

/// The light of a picture's rows, of blocks of pixels where it shrinks a lot: those that the filter sees at a time.
private struct LinearRows {
    private let source: PixelBuffer
    private let block: PixelSize
    private let width: Int
    private let weights: ResamplerWeights
    let columns: ResamplerWeights
    /// Row `n` of the blocks is at `n % weights.taps`.
    private var window: [[SIMD4<Float>]]
    private var nextRow = 0
    /// What the filter makes of them for one row of the result.
    private(set) var line: [SIMD4<Float>]

    init(_ source: PixelBuffer, _ size: PixelSize) {
        self.source = source
        block = PixelSize(
            ResamplerBlocks.side(from: source.width, to: size.width),
            ResamplerBlocks.side(from: source.height, to: size.height))
        width = (source.width + block.width - 1) / block.width
        columns = ResamplerWeights(
            sourceCount: width, extent: Double(source.width) / Double(block.width), targetCount: size.width)
        weights = ResamplerWeights(
            sourceCount: (source.height + block.height - 1) / block.height,
            extent: Double(source.height) / Double(block.height), targetCount: size.height)
        line = [SIMD4<Float>](repeating: .zero, count: width)
        window = [[SIMD4<Float>]](repeating: line, count: weights.taps)
    }

    /// Makes the line of row `y` of the result. Rows come in order.
    mutating func blend(upTo y: Int) {
        let start = Int(weights.starts[y])
        while nextRow < start + weights.taps {
            // Rows that no row of the result reaches are not worth their work.
            if nextRow >= start { fill(nextRow) }
            nextRow += 1
        }
        for x in 0..<width { line[x] = .zero }
        for (tap, weight) in weights.weights(of: y).enumerated() where weight != 0 {
            let row = window[(start + tap) % weights.taps]
            let share = Float(weight) / Float(ResamplerWeights.one)
            for x in 0..<width { line[x] += row[x] * share }
        }
    }

    /// The means of a row of blocks. At the right and at the bottom a block may be cut.
    private mutating func fill(_ row: Int) {
        let slot = row % weights.taps
        let ys = (row * block.height)..<min((row + 1) * block.height, source.height)
        let light = LinearLight.shared
        source.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            let pixels = SourceRows(start: start, bytesPerRow: source.bytesPerRow)
            for x in 0..<width {
                let xs = (x * block.width)..<min((x + 1) * block.width, source.width)
                var sum = SIMD4<Float>.zero
                for y in ys {
                    for x in xs { sum += light.light(of: pixels[y][x]) }
                }
                window[slot][x] = sum / Float(xs.count * ys.count)
            }
        }
    }
}
