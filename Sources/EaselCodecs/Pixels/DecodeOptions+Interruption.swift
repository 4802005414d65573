import EaselCore

extension DecodeOptions {
    /// Whether a library that decodes `pixels` within the 20 ms that a cancelled load has, takes longer for this picture.
    func isLong(_ header: ImageHeader, beyond pixels: Int) -> Bool {
        header.storedSize.area ?? .max > pixels
    }

    /// The same for a picture of `size`: its pixels, and as much again for what they are made of.
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
    ///   - refusal: asked as often as whether the load is cancelled.
    ///   - body: is handed these options, but for the question whether to go on.
    /// - Throws: `ImageError.cancelled`, `.tooLarge` after `limits.decodingTime`, what `refusal` gives, and what `body` throws.
    func abandonable(
        byteCount: Int, refusal: () -> ImageError? = { nil },
        _ body: @escaping @Sendable (DecodeOptions) throws(ImageError) -> DecodedImage
    ) throws(ImageError) -> DecodedImage {
        try checkCancellation()
        let start = ContinuousClock.now
        return try AbandonableWork.shared.run(
            byteCount: byteCount,
            interruption: {
                if isCancelled() { return .cancelled }
                if let refusal = refusal() { return refusal }
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
