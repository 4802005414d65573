import CEaselPixels

/// The loops of resampling: first down, then across.
///
/// Between the two a value has 6 fraction bits: 255 and the filter's overshoot still fit 16 bits.
extension PixelKernels {
    /// Adds up as many rows as there are weights, component by component. Rows have a multiple of 64 bytes.
    func blendRows(
        _ rows: UnsafeRawBufferPointer, bytesPerRow: Int, weights: ArraySlice<Int16>,
        into line: UnsafeMutableBufferPointer<Int16>
    ) {
        precondition(
            bytesPerRow % 64 == 0 && rows.count >= weights.count * bytesPerRow && line.count >= bytesPerRow,
            "There are fewer rows than weights")
        weights.withUnsafeBufferPointer {
            easel_blend_rows(
                instructions, rows.baseAddress, bytesPerRow, $0.baseAddress, $0.count, line.baseAddress, bytesPerRow)
        }
    }

    /// Adds up adjacent pixels and writes a row of finished pixels, no component of which exceeds its alpha. `line` has
    /// four values for each source pixel of `columns`, and its slack.
    func blendColumns(
        _ line: UnsafeBufferPointer<Int16>, _ columns: ResamplerWeights, into target: UnsafeMutableRawBufferPointer
    ) {
        precondition(
            line.count >= columns.reach * 4 && target.count >= columns.starts.count * 4, "The line is too short")
        columns.withUnsafeWeights { starts, weights in
            easel_blend_columns(
                instructions, line.baseAddress, starts, weights, columns.stride, target.baseAddress,
                columns.starts.count)
        }
    }

    /// Sums `count` rows of up to 128, component by component. Rows have a multiple of 64 bytes, `sums` as many values.
    package func addRows(
        _ rows: UnsafeRawBufferPointer, bytesPerRow: Int, count: Int, into sums: UnsafeMutableBufferPointer<UInt16>
    ) {
        precondition(
            bytesPerRow % 64 == 0 && count >= 0 && count <= 128 && rows.count >= count * bytesPerRow
                && sums.count >= bytesPerRow, "There are fewer rows")
        easel_add_rows(instructions, rows.baseAddress, bytesPerRow, count, sums.baseAddress, bytesPerRow)
    }

    /// Writes the means of `count` blocks from the sums of their columns.
    func averageColumns(
        _ sums: UnsafeBufferPointer<UInt16>, blockWidth: Int, _ divisor: BlockDivisor,
        into pixels: UnsafeMutableRawBufferPointer, count: Int
    ) {
        precondition(
            blockWidth > 0 && count >= 0 && sums.count >= 4 * blockWidth * count && pixels.count >= 4 * count,
            "The line is too short")
        easel_average_columns(
            instructions, sums.baseAddress, blockWidth, divisor.half, divisor.reciprocal, pixels.baseAddress, count)
    }
}

/// The same loops over pixels of four floating-point numbers. The order of every sum is fixed, so that all instruction
/// sets give the same bytes.
extension PixelKernels {
    /// Adds up rows of a ring, each times its weight.
    func blendLightRows(
        _ ring: LightRing, first: Int, weights: ArraySlice<Float>, into line: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(
            first >= 0 && first < ring.rowCount && weights.count <= ring.rowCount && line.count >= ring.rowLength,
            "There are fewer rows than weights")
        ring.values.withUnsafeBufferPointer { rows in
            weights.withUnsafeBufferPointer { weights in
                easel_blend_light_rows(
                    instructions, rows.baseAddress, ring.rowLength, ring.rowCount, first, weights.baseAddress,
                    weights.count, line.baseAddress)
            }
        }
    }

    /// Adds up adjacent pixels. `line` has four numbers for each source pixel of `columns`, and its slack.
    func blendLightColumns(
        _ line: UnsafeBufferPointer<Float>, _ columns: LightWeights, into colors: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(
            line.count >= columns.positions.reach * 4 && colors.count >= columns.positions.starts.count * 4,
            "The line is too short")
        easel_blend_light_columns(
            instructions, line.baseAddress, columns.positions.starts, columns.values, columns.positions.stride,
            colors.baseAddress, columns.positions.starts.count)
    }
}
