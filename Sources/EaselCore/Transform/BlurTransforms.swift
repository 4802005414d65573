import CEaselPixels

extension ImageTransform {
    /// The largest standard deviation of a blur.
    private static let sigmas = 0.0...1_000

    /// Blurs by a Gaussian with this standard deviation in pixels: 0 and less changes nothing; at most 1,000.
    ///
    /// Three box filters approximate the Gaussian with its variance. SDWebImage's blur radius is the same number.
    public static func blur(sigma: Double) -> ImageTransform {
        let sigma = sigma.bounded(sigmas)
        return ImageTransform("Blur(\(sigma.canonicalText))") { (image, isCancelled) throws(ImageError) in
            guard sigma > 0 else { return image }
            return image.replacing(try image.pixels.blurred(sigma: sigma, isCancelled: isCancelled))
        }
    }

    /// Sharpens by unsharp masking: adds `amount` times the difference to the image blurred by `sigma`. Alpha is
    /// unchanged. 0 and less changes nothing; at most 100.
    public static func sharpen(sigma: Double = 1, amount: Double = 0.5) -> ImageTransform {
        let sigma = sigma.bounded(sigmas)
        let amount = amount.bounded(0...100)
        let identifier = "Sharpen(\(sigma.canonicalText),\(amount.canonicalText))"
        return ImageTransform(identifier) { (image, isCancelled) throws(ImageError) in
            guard sigma > 0, amount > 0 else { return image }
            let blurred = try image.pixels.blurred(sigma: sigma, isCancelled: isCancelled)
            let factor = Int32((amount * 256).rounded())
            let pixels = try blurred.drawRows(of: image.size, isOpaque: image.pixels.isOpaque, isCancelled: isCancelled)
            {
                y, soft, target in
                image.pixels.withRows { source in
                    let (row, soft) = (source[y], soft[y])
                    for x in 0..<image.size.width {
                        let old = PremultipliedPixel.components(row[x])
                        let difference = old &- PremultipliedPixel.components(soft[x])
                        var new = old &+ ((difference &* factor &+ 128) &>> 8)
                        // No color exceeds the alpha, which is unchanged.
                        new.w = old.w
                        target[x] = PremultipliedPixel.word(
                            new.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: old.w)))
                    }
                }
            }
            return image.replacing(pixels)
        }
    }
}

extension PixelBuffer {
    /// Returns the image blurred. The pixels of its edges continue beyond them. Takes the same time for every sigma up
    /// to 64.
    ///
    /// - Parameter isPlain: without special instructions; the same pixels, for tests.
    func blurred(
        sigma: Double, isPlain: Bool = false, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        var box = Self.box(ofGaussian: sigma)
        let plain: Int32 = isPlain ? 1 : 0
        let scratch = PooledBlock(byteCount: easel_blur_scratch(max(width, height)))
        let work = scratch.bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        return try PixelBuffer(size: size, isOpaque: isOpaque) { (bytes, targetBytesPerRow) throws(ImageError) in
            try withUnsafeBytes { (source) throws(ImageError) in
                guard let from = source.baseAddress, let to = bytes.baseAddress else { return }
                for y in stride(from: 0, to: height, by: 16) {
                    if isCancelled() { throw .cancelled }
                    easel_blur_rows(
                        from + y * bytesPerRow, bytesPerRow, to + y * targetBytesPerRow, targetBytesPerRow, width,
                        min(16, height - y), &box, work, plain)
                }
                // Rows have a multiple of 16 pixels.
                for x in stride(from: 0, to: width, by: 16) {
                    if isCancelled() { throw .cancelled }
                    easel_blur_columns(to + x * 4, targetBytesPerRow, height, &box, work, plain)
                }
            }
        }
    }

    /// Returns a box filter that approximates a Gaussian if applied three times. Its length need not be whole, so that
    /// the variance is exactly the Gaussian's (Gwosdek et al., *Theoretical Foundations of Gaussian Convolution by
    /// Extended Box Filtering*, 2011).
    private static func box(ofGaussian sigma: Double) -> easel_box {
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
        return easel_box(radius: Int32(radius), inner: Int32(inner), outer: Int32(outer), shift: Int32(shift))
    }
}
