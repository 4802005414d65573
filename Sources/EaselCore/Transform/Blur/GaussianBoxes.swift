import CEaselPixels

/// A Gaussian as three box filters, one after the other, whose length need not be whole: their variance is exactly the
/// Gaussian's (Gwosdek et al., *Theoretical Foundations of Gaussian Convolution by Extended Box Filtering*, 2011).
struct GaussianBoxes {
    /// All three.
    let box: easel_box

    /// - Parameter sigma: the standard deviation, above 0 and at most `largestSigma`.
    init(sigma: Double) {
        let variance = sigma * sigma / 3
        let radius = (((12 * variance + 1).squareRoot() - 1) / 2).rounded(.down)
        let next = (radius + 1) * (radius + 1)
        let part = (2 * radius + 1) * (radius * (radius + 1) - 3 * variance) / (6 * (variance - next))
        let length = 2 * radius + 1 + 2 * part
        // As many bits as fit 16 with a sign.
        var shift = 14
        while Double(1 << (shift + 1)) / length <= 32_600 { shift += 1 }
        let inner = Int(Double(1 << shift) / length)
        let outer = ((1 << shift) - inner * (2 * Int(radius) + 1)) / 2
        box = easel_box(radius: Int32(radius), inner: Int32(inner), outer: Int32(outer), shift: Int32(shift))
    }

    static let largestSigma = 1_000.0
}

extension PixelBuffer {
    /// The picture blurred. Beyond its edges it goes on with their pixels. Takes the same time for every sigma up to 64.
    ///
    /// - Parameter isPlain: without special instructions; the same pixels, for tests.
    func blurred(
        sigma: Double, isPlain: Bool = false, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        var box = GaussianBoxes(sigma: sigma).box
        let plain: Int32 = isPlain ? 1 : 0
        let scratch = PooledBlock(byteCount: easel_blur_scratch(max(width, height)))
        let work = scratch.bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        return try PixelBuffer(size: size, isOpaque: isOpaque) { (bytes, targetBytesPerRow) throws(ImageError) in
            try withUnsafeBytes { (source) throws(ImageError) in
                let from = source.assumingMemoryBound(to: UInt8.self).baseAddress
                let to = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
                guard let from, let to else { return }
                for y in stride(from: 0, to: height, by: 16) {
                    if isCancelled() { throw .cancelled }
                    easel_blur_rows(
                        from + y * bytesPerRow, bytesPerRow, to + y * targetBytesPerRow, targetBytesPerRow, width,
                        min(16, height - y), &box, work, plain)
                }
                // Rows are filled up to a multiple of 16 pixels.
                for x in stride(from: 0, to: width, by: 16) {
                    if isCancelled() { throw .cancelled }
                    easel_blur_columns(to + x * 4, targetBytesPerRow, height, &box, work, plain)
                }
            }
        }
    }
}
