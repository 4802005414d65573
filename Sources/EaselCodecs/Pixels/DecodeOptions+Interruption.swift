import EaselCore

extension DecodeOptions {
    /// Returns whether an image exceeds `pixels`, which the library decodes within the 20 ms that cancellation may
    /// take.
    func isLong(_ header: ImageHeader, beyond pixels: Int) -> Bool {
        header.storedSize.area ?? .max > pixels
    }

    /// Runs an uninterruptible decode of an image of `size`. Estimates the memory as twice its pixels.
    func abandonable(
        _ size: PixelSize, _ body: @escaping @Sendable (DecodeOptions) throws(ImageError) -> DecodedImage
    ) throws(ImageError) -> DecodedImage {
        let (byteCount, overflow) = (size.area ?? .max).multipliedReportingOverflow(by: 8)
        return try abandonable(byteCount: overflow ? .max : byteCount, body)
    }

    /// Runs `body`, which cannot be interrupted, on a thread that a cancelled load abandons.
    ///
    /// - Parameters:
    ///   - byteCount: an estimate of the memory that `body` uses.
    ///   - body: receives these options without the cancellation check.
    /// - Throws: `ImageError.cancelled`, `.tooLarge` after `limits.decodingTime`, and the errors of `body`.
    func abandonable<Value: Sendable>(
        byteCount: Int, _ body: @escaping @Sendable (DecodeOptions) throws(ImageError) -> Value
    ) throws(ImageError) -> Value {
        try checkCancellation()
        let start = ContinuousClock.now
        return try AbandonableWork.shared.run(
            byteCount: byteCount,
            interruption: {
                if isCancelled() { return .cancelled }
                return start.duration(to: .now) < limits.decodingTime
                    ? nil : .tooLarge(.time(limit: limits.decodingTime))
            },
            { [self] (isAbandoned) throws(ImageError) in
                var options = self
                options.isCancelled = isAbandoned
                return try body(options)
            })
    }
}

/// Limits repeated searches at the start of a growing file: a search runs each time the file has grown by a sixteenth,
/// since each one starts from the beginning. The total cost is that of a few searches.
struct Growth {
    private var lookedAt = 0

    /// Returns whether there are new bytes, and marks them as searched.
    mutating func hasGrown(_ count: Int) -> Bool {
        defer { lookedAt = count }
        return count > lookedAt
    }

    /// Returns whether enough bytes are new to search again, and if so marks them as searched.
    mutating func isWorthAnotherLook(_ count: Int) -> Bool {
        guard count > lookedAt + lookedAt / 16 else { return false }
        lookedAt = count
        return true
    }
}
