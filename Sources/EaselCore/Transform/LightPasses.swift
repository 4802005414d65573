import CEaselPixels

/// The loops that mixing light spends its time in, over pixels of four floating-point numbers.
///
/// Every sum has its order, so that all makes give the same bytes.
extension PixelKernels {
    /// The light of `count` premultiplied pixels, added up over `rowCount` rows from the first to the last.
    ///
    /// - Parameters:
    ///   - lights: of each of 256 levels; of the last it is 1.
    ///   - sums: room for `4 * count` numbers.
    func addLight(
        _ rows: UnsafeRawBufferPointer, bytesPerRow: Int, rowCount: Int, _ lights: [Float],
        into sums: UnsafeMutableBufferPointer<Float>, count: Int
    ) {
        precondition(
            rowCount > 0 && count >= 0 && bytesPerRow >= 4 * count && lights.count == 256 && lights[255] == 1
                && rows.count >= (rowCount - 1) * bytesPerRow + 4 * count && sums.count >= 4 * count,
            "There are fewer rows")
        guard let from = rows.baseAddress, let to = sums.baseAddress else { return }
        easel_add_light(instructions, from.bytes, bytesPerRow, rowCount, lights, to, count)
    }

    /// The means of `count` blocks of `area` pixels from the sums of their columns.
    func averageLight(
        _ sums: UnsafeBufferPointer<Float>, blockWidth: Int, area: Int,
        into means: UnsafeMutableBufferPointer<Float>, count: Int
    ) {
        precondition(
            blockWidth > 0 && area > 0 && count >= 0 && sums.count >= 4 * blockWidth * count
                && means.count >= 4 * count, "The line is too short")
        guard let from = sums.baseAddress, let to = means.baseAddress else { return }
        easel_average_light(instructions, from, blockWidth, Float(area), to, count)
    }

    /// Adds up rows of a ring, each times its weight, into `line`, which has as many numbers as a row.
    func blendLightRows(
        _ ring: LightRing, first: Int, weights: ArraySlice<Float>, into line: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(
            first >= 0 && first < ring.rowCount && weights.count <= ring.rowCount && line.count >= ring.rowLength,
            "There are fewer rows than weights")
        ring.values.withUnsafeBufferPointer { rows in
            weights.withUnsafeBufferPointer { weights in
                guard let from = rows.baseAddress, let weight = weights.baseAddress, let to = line.baseAddress
                else { return }
                easel_blend_light_rows(
                    instructions, from, ring.rowLength, ring.rowCount, first, weight, weights.count, to)
            }
        }
    }

    /// Adds up pixels side by side.
    ///
    /// - Parameters:
    ///   - line: four numbers for each pixel that `columns` was made for, and its slack.
    ///   - colors: room for as many pixels as `columns` has targets.
    func blendLightColumns(
        _ line: UnsafeBufferPointer<Float>, _ columns: LightWeights, into colors: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(
            line.count >= columns.places.reach * 4 && colors.count >= columns.places.starts.count * 4,
            "The line is too short")
        guard let from = line.baseAddress, let to = colors.baseAddress else { return }
        easel_blend_light_columns(
            instructions, from, columns.places.starts, columns.values, columns.places.stride, to,
            columns.places.starts.count)
    }
}

/// The resampler's weights as floating-point numbers: the same ones, exactly.
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

/// Rows of pixels of four numbers: those that the filter sees at a time. Row `n` of the source is at `n % rowCount`.
struct LightRing {
    let rowCount: Int
    /// Numbers in a row: a multiple of 16, with zeros behind its pixels and the slack that kernels read.
    let rowLength: Int
    var values: [Float]

    init(width: Int, rowCount: Int) {
        self.rowCount = rowCount
        rowLength = ((width + ResamplerWeights.slack) * 4 + 15) & ~15
        values = [Float](repeating: 0, count: rowLength * rowCount)
    }

    /// The place of a row of the source, to be written.
    mutating func withRow(_ row: Int, _ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
        let start = row % rowCount * rowLength
        values.withUnsafeMutableBufferPointer {
            body(UnsafeMutableBufferPointer(rebasing: $0[start..<(start + rowLength)]))
        }
    }
}
