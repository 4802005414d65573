import EaselCore

extension DecodeOptions {
    /// Whether a library that decodes `pixels` within the 20 ms that a cancelled load has, takes longer for this image.
    func isLong(_ header: ImageHeader, beyond pixels: Int) -> Bool {
        header.storedSize.area ?? .max > pixels
    }

    /// The same for an image of `size`: its pixels, and as much again for what they are made of.
    func abandonable(
        _ size: PixelSize, _ body: @escaping @Sendable (DecodeOptions) throws(ImageError) -> DecodedImage
    ) throws(ImageError) -> DecodedImage {
        let (byteCount, overflow) = (size.area ?? .max).multipliedReportingOverflow(by: 8)
        return try abandonable(byteCount: overflow ? .max : byteCount, body)
    }

    /// Decodes by `body`, in calls that cannot be interrupted, on a thread that a cancelled load leaves to itself.
    ///
    /// - Parameters:
    ///   - byteCount: about the memory that this takes.
    ///   - body: is handed these options, but for the question whether to go on.
    /// - Throws: `ImageError.cancelled`, `.tooLarge` after `limits.decodingTime`, and what `body` throws.
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

/// When to look again at the start of a file in which something was not found: not at every byte, since each look reads
/// from the start, but each time that it has grown by a sixteenth. All looks together then cost as much as a few.
struct Growth {
    private var lookedAt = 0

    /// Whether there is anything that was not looked at. It is now.
    mutating func hasGrown(_ count: Int) -> Bool {
        defer { lookedAt = count }
        return count > lookedAt
    }

    /// Whether there is enough that was not looked at. It is now.
    mutating func isWorthAnotherLook(_ count: Int) -> Bool {
        guard count > lookedAt + lookedAt / 16 else { return false }
        lookedAt = count
        return true
    }
}
