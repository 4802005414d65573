import EaselCore

extension DecodeOptions {
    /// Returns whether an image exceeds `pixels`, which the library decodes within the 20 ms that cancellation may
    /// take.
    func exceeds(_ header: ImageHeader, pixels: Int) -> Bool { header.storedSize.area ?? .max > pixels }

    /// Runs `body`, which checks `isCancelled` regularly, up to `limits.decodingTime`.
    ///
    /// - Parameters:
    ///   - start: the time at which the decode has begun.
    ///   - body: receives these options with a cancellation check that also ends it at the time limit.
    /// - Throws: `ImageError.tooLarge` at the time limit, and the errors of `body`.
    func runInterruptibly<Value>(
        since start: ContinuousClock.Instant = .now, _ body: (DecodeOptions) throws(ImageError) -> Value
    ) throws(ImageError) -> Value {
        var options = self
        options.isCancelled = { isOverTime(since: start) || isCancelled() }
        do throws(ImageError) {
            return try body(options)
        } catch {
            throw error == .cancelled && isOverTime(since: start) ? .tooLarge(.time(limit: limits.decodingTime)) : error
        }
    }

    /// Runs `body`, which cannot be interrupted, on a thread that a cancelled load abandons.
    ///
    /// - Parameters:
    ///   - format: the format, whose abandoned decodes are limited.
    ///   - byteCount: an estimate of the memory that `body` uses.
    ///   - body: receives these options without the cancellation check.
    /// - Throws: `ImageError.cancelled`, `.tooLarge` after `limits.decodingTime`, `.unsupported` while too many
    ///   abandoned decodes of the format are running, and the errors of `body`.
    func runAbandonably<Value: Sendable>(
        _ format: ImageFormat, byteCount: Int,
        _ body: @escaping @Sendable (DecodeOptions) throws(ImageError) -> Value
    ) throws(ImageError) -> Value {
        try checkCancellation()
        let start = ContinuousClock.now
        return try AbandonableWork.shared.run(
            format, byteCount: byteCount, limit: limits.decodingTime,
            interruption: {
                if isCancelled() { return .cancelled }
                return isOverTime(since: start) ? .tooLarge(.time(limit: limits.decodingTime)) : nil
            },
            { [self] (isAbandoned) throws(ImageError) in
                var options = self
                options.isCancelled = isAbandoned
                return try body(options)
            })
    }

    /// Returns whether a decode that began at `start` has taken `limits.decodingTime`.
    private func isOverTime(since start: ContinuousClock.Instant) -> Bool {
        start.duration(to: .now) >= limits.decodingTime
    }
}

extension PixelSize {
    /// An estimate of the memory to decode an image of this size: twice that of its pixels.
    var decodingByteCount: Int {
        let (byteCount, overflow) = (area ?? .max).multipliedReportingOverflow(by: 8)
        return overflow ? .max : byteCount
    }
}

/// A throttle that limits repeated searches at the start of a growing file: a search runs each time the file has grown
/// by a sixteenth, since each one starts from the beginning. The total cost is that of a few searches.
struct SearchThrottle {
    private var searchedCount = 0

    /// Returns whether there are new bytes, and marks them as searched.
    mutating func recordGrowth(to count: Int) -> Bool {
        defer { searchedCount = count }
        return count > searchedCount
    }

    /// Returns whether enough bytes are new to search again, and if so marks them as searched.
    mutating func shouldSearch(_ count: Int) -> Bool {
        count > searchedCount + searchedCount / 16 && recordGrowth(to: count)
    }
}
