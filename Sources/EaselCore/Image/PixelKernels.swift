import CEaselPixels

/// The pixel loops for one instruction set, with every length checked. All instruction sets give the same bytes.
///
/// Pixels are B, G, R, A, of four bytes each. A pointer is `nil` only if the count is 0.
package struct PixelKernels: Sendable {
    /// The kernels for this processor.
    package static let best = PixelKernels(instructions: easel_pixels_instructions())
    /// The kernels for every processor of the architecture, which tests compare with.
    package static let baseline = PixelKernels(instructions: EASEL_BASELINE)

    let instructions: easel_instructions

    /// Bytes after a row of samples that kernels may read.
    package static let slack = 8

    /// Reverses the prediction of a row of a PNG in place (PNG 9.2). `row` and `previous` have `count` bytes and
    /// `slack` more.
    ///
    /// - Parameters:
    ///   - filter: 1 to 4: Sub, Up, Average, Paeth.
    ///   - distance: the bytes of a pixel: 1, 2, 3, 4, 6 or 8.
    package func unfilter(
        _ filter: Int, _ row: UnsafeMutableRawBufferPointer, after previous: UnsafeRawBufferPointer, count: Int,
        distance: Int
    ) {
        precondition((1...4).contains(filter) && [1, 2, 3, 4, 6, 8].contains(distance), "PNG has no such filter")
        precondition(
            count >= 0 && row.count >= count + Self.slack && previous.count >= count + Self.slack,
            "The rows are too short")
        easel_unfilter(instructions, Int32(filter), row.baseAddress, previous.baseAddress, count, distance)
    }

    /// Converts R, G, B to opaque pixels. `samples` has three bytes for each of `count` pixels and `slack` more.
    package func expandRGB(
        _ samples: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer, count: Int
    ) {
        precondition(
            count >= 0 && samples.count >= 3 * count + Self.slack && pixels.count >= 4 * count, "The row is too short")
        easel_expand_rgb(instructions, samples.baseAddress, pixels.baseAddress, count)
    }

    /// Converts straight R, G, B, A to premultiplied pixels. Returns the bitwise and of all alphas.
    package func expandRGBA(
        _ samples: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer, count: Int
    ) -> UInt8 {
        precondition(count >= 0 && min(samples.count, pixels.count) >= 4 * count, "The row is too short")
        return easel_expand_rgba(instructions, samples.baseAddress, pixels.baseAddress, count)
    }

    /// Premultiplies pixels in place, rounded to nearest. Returns the bitwise and of all alphas.
    @discardableResult
    package func premultiply(_ pixels: UnsafeMutableRawBufferPointer, count: Int) -> UInt8 {
        precondition(count >= 0 && pixels.count >= 4 * count, "The row is too short")
        return easel_premultiply(instructions, pixels.baseAddress, pixels.baseAddress, count)
    }

    /// Returns the bitwise and of all alphas: 255 if every pixel is opaque.
    package func commonAlpha(_ pixels: UnsafeRawBufferPointer, count: Int) -> UInt8 {
        precondition(count >= 0 && pixels.count >= 4 * count, "The row is too short")
        return easel_common_alpha(instructions, pixels.baseAddress, count)
    }

    package func makeOpaque(_ pixels: UnsafeMutableRawBufferPointer, count: Int) {
        precondition(count >= 0 && pixels.count >= 4 * count, "The row is too short")
        easel_make_opaque(instructions, pixels.baseAddress, count)
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
