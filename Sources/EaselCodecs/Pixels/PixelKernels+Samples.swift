import CEaselPixels
import EaselCore

/// The loops of decoders.
extension PixelKernels {
    /// Bytes after a row of samples that kernels may read.
    static let slack = 8

    /// Reverses the prediction of a row of a PNG in place (PNG 9.2). `row` and `previous` have `count` bytes and
    /// `slack` more.
    ///
    /// - Parameters:
    ///   - filter: 1 to 4: Sub, Up, Average, Paeth.
    ///   - distance: the bytes of a pixel: 1, 2, 3, 4, 6 or 8.
    func unfilter(
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
    func expandRGB(
        _ samples: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer, count: Int
    ) {
        precondition(
            count >= 0 && samples.count >= 3 * count + Self.slack && pixels.count >= 4 * count, "The row is too short")
        easel_expand_rgb(instructions, samples.baseAddress, pixels.baseAddress, count)
    }

    /// Premultiplies pixels in place, rounded to nearest. Returns the bitwise and of all alphas.
    @discardableResult
    func premultiply(_ pixels: UnsafeMutableRawBufferPointer, count: Int) -> UInt8 {
        precondition(count >= 0 && pixels.count >= 4 * count, "The row is too short")
        return easel_premultiply(instructions, pixels.baseAddress, pixels.baseAddress, count)
    }

    /// Returns the bitwise and of all alphas: 255 if every pixel is opaque.
    func commonAlpha(_ pixels: UnsafeRawBufferPointer, count: Int) -> UInt8 {
        precondition(count >= 0 && pixels.count >= 4 * count, "The row is too short")
        return easel_common_alpha(instructions, pixels.baseAddress, count)
    }

    func makeOpaque(_ pixels: UnsafeMutableRawBufferPointer, count: Int) {
        precondition(count >= 0 && pixels.count >= 4 * count, "The row is too short")
        easel_make_opaque(instructions, pixels.baseAddress, count)
    }
}
