public import EaselFoundation

extension EncodeOptions {
    /// Encodes an image within `maximumPixelSize` and `maximumByteCount`, for encoders. Calls `write` once without a limit of
    /// bytes, else up to 24 times.
    ///
    /// - Parameters:
    ///   - isLossy: whether less quality makes smaller files, in this format with these options.
    ///   - write: encodes an image with the given options, at its size.
    /// - Throws: `ImageError.tooLarge` if nothing fits the bytes, and what `write` throws.
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

    /// Encodes an animation within `maximumPixelSize` and `maximumByteCount`, for encoders.
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

/// The search for the best file within a limit of bytes: less quality before less size, in at most 24 attempts.
private struct EncodeSearch {
    struct Attempt {
        var size: PixelSize
        /// `nil` for lossless formats.
        var quality: Double?
    }

    /// The next attempt; `nil` if the best has been recorded, or nothing fits.
    private(set) var next: Attempt?

    private let limit: Int
    private let quality: Double?
    /// The best quality known to fit at this size, and the least one known not to.
    private var fits: Double?
    private var exceeds: Double?
    private var attempts = 0

    /// Below it fewer pixels look better.
    private static let leastQuality = 0.3

    init(limit: Int, size: PixelSize, quality: Double?) {
        self.limit = limit
        self.quality = quality
        next = Attempt(size: size, quality: quality)
    }

    /// Records the outcome of the attempt. Returns whether it is the best so far.
    mutating func record(byteCount: Int) -> Bool {
        guard let attempt = next else { return false }
        attempts += 1
        let isWithin = byteCount <= limit
        if isWithin {
            fits = attempt.quality
            next = bisect(attempt.size)
        } else {
            next = worse(than: attempt, byteCount)
        }
        if attempts == 24 { next = nil }
        return isWithin
    }

    private mutating func worse(than attempt: Attempt, _ byteCount: Int) -> Attempt? {
        if let tried = attempt.quality, let quality {
            exceeds = tried
            if fits != nil { return bisect(attempt.size) }
            let least = min(Self.leastQuality, quality)
            if tried > least { return Attempt(size: attempt.size, quality: least) }
        }
        return smaller(attempt, byteCount)
    }

    private func bisect(_ size: PixelSize) -> Attempt? {
        guard let fits, let exceeds, exceeds - fits > 0.02 else { return nil }
        return Attempt(size: size, quality: (fits + exceeds) / 2)
    }

    /// Bytes grow with the area: a little less than the size that should fit.
    private mutating func smaller(_ attempt: Attempt, _ byteCount: Int) -> Attempt? {
        guard attempt.size != PixelSize(1, 1) else { return nil }
        let share = min(0.9, 0.95 * (Double(max(limit, 1)) / Double(byteCount)).squareRoot())
        // A file has more than pixels, so that a small share is an underestimate.
        let factor = max(0.25, share)
        exceeds = nil
        let size = PixelSize(
            max(1, Int(Double(attempt.size.width) * factor)), max(1, Int(Double(attempt.size.height) * factor)))
        return Attempt(size: size, quality: quality.map { min(Self.leastQuality, $0) })
    }
}
