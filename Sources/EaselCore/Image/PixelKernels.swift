package import CEaselPixels

/// The pixel loops for one instruction set, with every length checked. All instruction sets give the same bytes.
///
/// Pixels are B, G, R, A, of four bytes each. A pointer is `nil` only if the count is 0.
package struct PixelKernels: Sendable {
    /// The kernels for this processor.
    package static let best = PixelKernels(instructions: easel_pixels_instructions())
    /// The kernels for every processor of the architecture, which tests compare with.
    package static let baseline = PixelKernels(instructions: EASEL_BASELINE)

    package let instructions: easel_instructions

    /// Converts straight R, G, B, A to premultiplied pixels. Returns the bitwise and of all alphas.
    package func expandRGBA(
        _ samples: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer, count: Int
    ) -> UInt8 {
        precondition(count >= 0 && min(samples.count, pixels.count) >= 4 * count, "The row is too short")
        return easel_expand_rgba(instructions, samples.baseAddress, pixels.baseAddress, count)
    }

    /// Writes the pixels of a row in reverse, of 4 bytes each, or of 8 for deep ones.
    ///
    /// - Parameter passesCache: whether 4-byte pixels are written past the cache, which is faster for large images.
    func mirror(
        _ pixels: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, count: Int,
        bytesPerPixel: Int = 4, passesCache: Bool
    ) {
        precondition(count >= 0 && min(pixels.count, target.count) >= bytesPerPixel * count, "The row is too short")
        if bytesPerPixel == DeepPixelBuffer.bytesPerPixel {
            easel_mirror_deep(instructions, pixels.baseAddress, target.baseAddress, count)
        } else {
            easel_mirror(instructions, pixels.baseAddress, target.baseAddress, count, passesCache)
        }
    }

    /// Turns columns of `source` into rows of `target` with the same numbers, counted from below with `fromBottom`.
    /// With `fromRight`, each row is written from its end. `passesCache` is as for `mirror`.
    func transpose(
        _ source: PixelRows, columns: Range<Int>, into target: PixelRows, fromRight: Bool, fromBottom: Bool,
        passesCache: Bool
    ) {
        precondition(
            columns.lowerBound >= 0 && columns.upperBound <= source.size.width && source.size.height > 0
                && target.size == source.size.transposed && target.bytesPerPixel == source.bytesPerPixel,
            "The turned image has another size")
        let from = source.row(fromRight ? source.size.height - 1 : 0)
        let row = fromBottom ? target.size.height - 1 - columns.lowerBound : columns.lowerBound
        let column = from + columns.lowerBound * source.bytesPerPixel
        let step = fromRight ? -source.bytesPerRow : source.bytesPerRow
        let line = target.row(row)
        let lineStep = fromBottom ? -target.bytesPerRow : target.bytesPerRow
        if source.bytesPerPixel == DeepPixelBuffer.bytesPerPixel {
            easel_transpose_deep(instructions, column, step, line, lineStep, columns.count, source.size.height)
        } else {
            easel_transpose(
                instructions, column, step, line, lineStep, columns.count, source.size.height, passesCache)
        }
    }
}
