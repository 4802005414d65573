package import EaselFoundation

extension EncodeOptions {
    /// Encodes an image within `maximumPixelSize` and `maximumByteCount`, for encoders. Calls `write` once without a
    /// limit of bytes, else up to 24 times.
    ///
    /// - Parameters:
    ///   - isLossy: whether a lower quality makes smaller files, in this format with these options.
    ///   - write: encodes an image with the given options, at its size.
    /// - Throws: `ImageError.tooLarge` if no attempt is small enough, and the errors of `write`.
    package func fitting(
        _ image: DecodedImage, isLossy: Bool,
        write: (DecodedImage, EncodeOptions) throws(ImageError) -> Data
    ) throws(ImageError) -> Data {
        var scaled = image
        return try fitting(image.size, isLossy: isLossy) { (size, options) throws(ImageError) in
            if scaled.size != size { scaled.pixels = try image.pixels.resized(to: size) }
            return try write(scaled, options)
        }
    }

    /// Calls `write` with sizes and options: reduces the quality before the size, in at most 24 attempts.
    package func fitting(
        _ size: PixelSize, isLossy: Bool, write: (PixelSize, EncodeOptions) throws(ImageError) -> Data
    ) throws(ImageError) -> Data {
        var size = maximumPixelSize.map { TargetSize.pixels($0, mode: .aspectFit).size(for: size) } ?? size
        guard let limit = maximumByteCount else { return try write(size, self) }
        var attempts = 0
        var byteCounts: (last: Int, least: Int) = (0, .max)
        /// Returns the file, or `nil` if it exceeds the limit.
        func attempt(_ quality: Double) throws(ImageError) -> Data? {
            var options = self
            options.quality = quality
            let file = try write(size, options)
            attempts += 1
            byteCounts = (file.count, min(byteCounts.least, file.count))
            return file.count <= limit ? file : nil
        }

        // Below a quality of 0.3 fewer pixels look better.
        let leastQuality = isLossy ? min(0.3, quality) : quality
        if let file = try attempt(quality) { return file }
        if quality > leastQuality, var best = try attempt(leastQuality) {
            var (fits, exceeds) = (leastQuality, quality)
            while attempts < 24, exceeds - fits > 0.02 {
                let middle = (fits + exceeds) / 2
                if let file = try attempt(middle) { (best, fits) = (file, middle) } else { exceeds = middle }
            }
            return best
        }
        while attempts < 24, size != PixelSize(1, 1) {
            // Bytes grow with the area, but a file has more than pixels, so that a small share is an underestimate.
            let share = 0.95 * (Double(max(limit, 1)) / Double(byteCounts.last)).squareRoot()
            let factor = share.bounded(0.25...0.9)
            size = PixelSize(max(1, Int(Double(size.width) * factor)), max(1, Int(Double(size.height) * factor)))
            if let file = try attempt(leastQuality) { return file }
        }
        throw .tooLarge(.bytes(byteCounts.least, limit: limit))
    }
}
