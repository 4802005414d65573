/// Resamples rows of pixels of four floating-point numbers, in order.
package struct LightResampler {
    private let rows: LightWeights
    private let columns: LightWeights
    private var ring: LightRing
    private var nextRow = 0
    private var line: [Float]
    private var result: [Float]

    package init(_ source: PixelSize, to size: PixelSize) {
        columns = LightWeights(
            ResamplerWeights(sourceCount: source.width, extent: Double(source.width), targetCount: size.width))
        rows = LightWeights(
            ResamplerWeights(sourceCount: source.height, extent: Double(source.height), targetCount: size.height))
        ring = LightRing(width: source.width, rowCount: rows.positions.taps)
        line = [Float](repeating: 0, count: ring.rowLength)
        result = [Float](repeating: 0, count: size.width * 4)
    }

    /// Returns row `y` of the result, four numbers a pixel. Rows are requested in order.
    ///
    /// - Parameter read: writes a row of the source. Rows that contribute to no row of the result are not read.
    package mutating func row(_ y: Int, _ read: (_ row: Int, UnsafeMutableBufferPointer<Float>) -> Void) -> [Float] {
        let start = Int(rows.positions.starts[y])
        while nextRow < start + rows.positions.taps {
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
    let positions: ResamplerWeights
    let values: [Float]

    init(_ positions: ResamplerWeights) {
        self.positions = positions
        var values: [Float] = []
        positions.withUnsafeWeights { starts, weights in
            values = (0..<positions.starts.count * positions.stride).map {
                Float(weights[$0]) / Float(ResamplerWeights.one)
            }
        }
        self.values = values
    }

    func weights(of target: Int) -> ArraySlice<Float> {
        values[(target * positions.stride)..<(target * positions.stride + positions.taps)]
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

    mutating func withRow(_ row: Int, _ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
        let start = row % rowCount * rowLength
        values.withUnsafeMutableBufferPointer {
            body(UnsafeMutableBufferPointer(rebasing: $0[start..<(start + rowLength)]))
        }
    }
}
