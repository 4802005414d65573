import CEaselPixels

/// The two loops that resampling spends its time in: first down, then across.
///
/// Between them a value has 6 bits behind the point: 255 and the filter's overshoot still fit 16 bits.
extension PixelKernels {
    /// Adds up as many rows as there are weights, component by component.
    ///
    /// - Parameters:
    ///   - rows: the first row and all after it; each has `bytesPerRow` bytes, a multiple of 64.
    ///   - line: room for `bytesPerRow` values.
    func blendRows(
        _ rows: UnsafeRawBufferPointer, bytesPerRow: Int, weights: ArraySlice<Int16>,
        into line: UnsafeMutableBufferPointer<Int16>
    ) {
        precondition(
            bytesPerRow % 64 == 0 && rows.count >= weights.count * bytesPerRow && line.count >= bytesPerRow,
            "There are fewer rows than weights")
        guard let from = rows.baseAddress, let to = line.baseAddress else { return }
        weights.withUnsafeBufferPointer {
            easel_blend_rows(instructions, from.bytes, bytesPerRow, $0.baseAddress, $0.count, to, bytesPerRow)
        }
    }

    /// Adds up pixels side by side and writes a row of finished pixels.
    ///
    /// No component comes out above its alpha: the filter's overshoot would otherwise make colours that do not exist.
    ///
    /// - Parameters:
    ///   - line: four values for each pixel that `columns` was made for, and its slack.
    ///   - target: room for as many pixels as `columns` has targets.
    func blendColumns(
        _ line: UnsafeBufferPointer<Int16>, _ columns: ResamplerWeights, into target: UnsafeMutableRawBufferPointer
    ) {
        precondition(
            line.count >= columns.reach * 4 && target.count >= columns.starts.count * 4, "The line is too short")
        guard let from = line.baseAddress, let to = target.baseAddress else { return }
        columns.withUnsafeWeights { starts, weights in
            easel_blend_columns(instructions, from, starts, weights, columns.stride, to.bytes, columns.starts.count)
        }
    }

    /// The sums of `count` rows of up to 128, component by component. Rows have a multiple of 64 bytes, `sums` as many values.
    package func addRows(
        _ rows: UnsafeRawBufferPointer, bytesPerRow: Int, count: Int, into sums: UnsafeMutableBufferPointer<UInt16>
    ) {
        precondition(
            bytesPerRow % 64 == 0 && count >= 0 && count <= 128 && rows.count >= count * bytesPerRow
                && sums.count >= bytesPerRow, "There are fewer rows")
        guard let from = rows.baseAddress, let to = sums.baseAddress else { return }
        easel_add_rows(instructions, from.bytes, bytesPerRow, count, to, bytesPerRow)
    }

    /// The means of `count` blocks from the sums of their columns.
    func averageColumns(
        _ sums: UnsafeBufferPointer<UInt16>, blockWidth: Int, _ divisor: BlockDivisor,
        into pixels: UnsafeMutableRawBufferPointer, count: Int
    ) {
        precondition(
            blockWidth > 0 && count >= 0 && sums.count >= 4 * blockWidth * count && pixels.count >= 4 * count,
            "The line is too short")
        guard let from = sums.baseAddress, let to = pixels.baseAddress else { return }
        easel_average_columns(instructions, from, blockWidth, divisor.half, divisor.reciprocal, to.bytes, count)
    }
}
