import CEaselPixels

/// Easel's loops over pixels in the make for one set of instructions, behind checks of every length.
///
/// All makes give the same bytes. Pixels are B, G, R, A, of four bytes each.
package struct PixelKernels: Sendable {
    /// For this processor.
    package static let best = PixelKernels(instructions: easel_pixels_instructions())
    /// For every processor of the kind: what tests compare with.
    package static let baseline = PixelKernels(instructions: EASEL_BASELINE)

    let instructions: easel_instructions

    /// Bytes behind a row of samples that kernels may read.
    package static let slack = 8

    /// Takes back the prediction of a row of a PNG, in place (PNG 9.2).
    ///
    /// - Parameters:
    ///   - filter: 1 to 4: Sub, Up, Average, Paeth.
    ///   - row: `count` bytes and `slack` more, as `previous`.
    ///   - distance: the bytes of a pixel: 1, 2, 3, 4, 6 or 8.
    package func unfilter(
        _ filter: Int, _ row: UnsafeMutableRawBufferPointer, after previous: UnsafeRawBufferPointer, count: Int,
        distance: Int
    ) {
        precondition((1...4).contains(filter) && [1, 2, 3, 4, 6, 8].contains(distance), "PNG has no such filter")
        precondition(
            count >= 0 && row.count >= count + Self.slack && previous.count >= count + Self.slack,
            "The rows are too short")
        guard let start = row.baseAddress, let above = previous.baseAddress else { return }
        easel_unfilter(instructions, Int32(filter), start.bytes, above.bytes, count, distance)
    }

    /// R, G, B to opaque pixels. `samples` has three bytes for each of `count` pixels and `slack` more.
    package func expandRGB(
        _ samples: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer, count: Int
    ) {
        precondition(
            count >= 0 && samples.count >= 3 * count + Self.slack && pixels.count >= 4 * count, "The row is too short")
        guard let from = samples.baseAddress, let to = pixels.baseAddress else { return }
        easel_expand_rgb(instructions, from.bytes, to.bytes, count)
    }

    /// Straight R, G, B, A to premultiplied pixels. Returns all alphas, combined by and.
    package func expandRGBA(
        _ samples: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer, count: Int
    ) -> UInt8 {
        precondition(count >= 0 && min(samples.count, pixels.count) >= 4 * count, "The row is too short")
        guard let from = samples.baseAddress, let to = pixels.baseAddress else { return 255 }
        return easel_expand_rgba(instructions, from.bytes, to.bytes, count)
    }

    /// Premultiplies pixels in place, rounded to nearest. Returns all alphas, combined by and.
    @discardableResult
    package func premultiply(_ pixels: UnsafeMutableRawBufferPointer, count: Int) -> UInt8 {
        precondition(count >= 0 && pixels.count >= 4 * count, "The row is too short")
        guard let start = pixels.baseAddress else { return 255 }
        return easel_premultiply(instructions, start.bytes, start.bytes, count)
    }

    /// All alphas, combined by and: 255 where every pixel is opaque.
    package func commonAlpha(_ pixels: UnsafeRawBufferPointer, count: Int) -> UInt8 {
        precondition(count >= 0 && pixels.count >= 4 * count, "The row is too short")
        guard let start = pixels.baseAddress else { return 255 }
        return easel_common_alpha(instructions, start.bytes, count)
    }

    /// Sets every alpha to 255.
    package func makeOpaque(_ pixels: UnsafeMutableRawBufferPointer, count: Int) {
        precondition(count >= 0 && pixels.count >= 4 * count, "The row is too short")
        guard let start = pixels.baseAddress else { return }
        easel_make_opaque(instructions, start.bytes, count)
    }

    /// The pixels of a row in reverse.
    ///
    /// - Parameter passesCache: whether they go to memory at once: of a picture that the cache would not hold, that is faster.
    package func mirror(
        _ pixels: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, count: Int, passesCache: Bool
    ) {
        precondition(count >= 0 && min(pixels.count, target.count) >= 4 * count, "The row is too short")
        guard let from = pixels.baseAddress, let to = target.baseAddress else { return }
        easel_mirror(instructions, from.bytes, to.bytes, count, passesCache)
    }

    /// The same for pixels of 16 bits a channel.
    func mirrorDeep(_ pixels: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, count: Int) {
        precondition(
            count >= 0 && min(pixels.count, target.count) >= PixelRows.deepByteCount * count, "The row is too short")
        guard let from = pixels.baseAddress, let to = target.baseAddress else { return }
        easel_mirror_deep(instructions, from.bytes, to.bytes, count)
    }

    /// Turns columns of `source` into rows of `target`.
    ///
    /// Column `columns.lowerBound + x` becomes row `columns.lowerBound + x`, or that row from below with `fromBottom`. With
    /// `fromRight`, each row is written from its end.
    ///
    /// - Parameter passesCache: as in `mirror`. Pixels of 16 bits a channel do not.
    func transpose(
        _ source: PixelRows, columns: Range<Int>, into target: PixelRows, fromRight: Bool, fromBottom: Bool,
        passesCache: Bool
    ) {
        precondition(
            columns.lowerBound >= 0 && columns.upperBound <= source.size.width && source.size.height > 0
                && target.size == source.size.transposed && target.bytesPerPixel == source.bytesPerPixel,
            "The turned picture has another size")
        let from = source.start + (fromRight ? source.offset(ofRow: source.size.height - 1) : 0)
        let row = fromBottom ? target.size.height - 1 - columns.lowerBound : columns.lowerBound
        let column = UnsafeRawPointer(from + columns.lowerBound * source.bytesPerPixel).bytes
        let step = fromRight ? -source.bytesPerRow : source.bytesPerRow
        let line = (target.start + target.offset(ofRow: row)).bytes
        let lineStep = fromBottom ? -target.bytesPerRow : target.bytesPerRow
        if source.bytesPerPixel == PixelRows.deepByteCount {
            easel_transpose_deep(instructions, column, step, line, lineStep, columns.count, source.size.height)
        } else {
            easel_transpose(
                instructions, column, step, line, lineStep, columns.count, source.size.height, passesCache)
        }
    }
}

extension UnsafeRawPointer {
    /// As C has it.
    var bytes: UnsafePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawPointer {
    /// As C has it.
    var bytes: UnsafeMutablePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
}
