public import EaselFoundation

extension EncodeOptions {
    /// For encoders: writes a picture so that it keeps to `maximumPixelSize` and `maximumByteCount`, which is the same work
    /// in every format. `write` is called once where there is no bound on the bytes, else up to 24 times.
    ///
    /// - Parameters:
    ///   - isLossy: whether less quality makes smaller files, in this format with these options.
    ///   - write: encodes a picture at its size, in the quality of the options that it is given.
    /// - Throws: `ImageError.tooLarge` where nothing fits the bytes, and what `write` throws.
    public func fitting(
        _ image: DecodedImage, isLossy: Bool,
        write: (DecodedImage, EncodeOptions) throws(ImageError) -> Data
    ) throws(ImageError) -> Data {
        var scaled = image
        return try fitting(image.size, isLossy: isLossy) { (size, options) throws(ImageError) in
            if scaled.size != size { scaled.pixels = try image.pixels.resized(to: size) }
            return try write(scaled, options)
        }
    }

    /// The same for an animation.
    public func fitting(
        _ frames: AnimationFrames, isLossy: Bool,
        write: (AnimationFrames, EncodeOptions) throws(ImageError) -> Data
    ) throws(ImageError) -> Data {
        try fitting(frames.size, isLossy: isLossy) { (size, options) throws(ImageError) in
            try write(frames.resized(to: size), options)
        }
    }

    private func fitting(
        _ size: PixelSize, isLossy: Bool, write: (PixelSize, EncodeOptions) throws(ImageError) -> Data
    ) throws(ImageError) -> Data {
        let largest = maximumPixelSize.map { TargetSize.pixels($0, mode: .aspectFit).size(for: size) } ?? size
        guard let limit = maximumByteCount else { return try write(largest, self) }
        var search = EncodeSearch(limit: limit, size: largest, quality: isLossy ? quality : nil)
        var best: Data?
        var least = Int.max
        while let attempt = search.next {
            var options = self
            options.quality = attempt.quality ?? quality
            let data = try write(attempt.size, options)
            least = min(least, data.count)
            if search.record(byteCount: data.count) { best = data }
        }
        guard let best else { throw .tooLarge(.bytes(least, limit: limit)) }
        return best
    }
}
