/// The search for the best file of at most so many bytes: less quality before less size.
///
/// A value that is told how large each attempt came out, and says what to try next. It ends after 24 attempts at the latest.
struct EncodeSearch {
    struct Attempt: Equatable {
        var size: PixelSize
        /// `nil` where the format has none.
        var quality: Double?
    }

    /// What to try; `nil` when the best has been recorded, or nothing fits.
    private(set) var next: Attempt?

    private let limit: Int
    private let quality: Double?
    /// The best quality that fits at this size, and the least one that does not, once both are known.
    private var fits: Double?
    private var exceeds: Double?
    private var attempts = 0

    /// What is under this is not worth more pixels.
    static let leastQuality = 0.3
    private static let mostAttempts = 24

    init(limit: Int, size: PixelSize, quality: Double?) {
        self.limit = limit
        self.quality = quality
        next = Attempt(size: size, quality: quality)
    }

    /// Takes the outcome of the attempt. Returns whether it is the best so far.
    mutating func record(byteCount: Int) -> Bool {
        guard let attempt = next else { return false }
        attempts += 1
        let isWithin = byteCount <= limit
        next = isWithin ? better(than: attempt) : worse(than: attempt, byteCount)
        // A last attempt has to be left for a quality that is known to fit, and was recorded.
        if attempts == Self.mostAttempts { next = nil }
        return isWithin
    }

    /// What the format asked for cannot be bettered; a lower quality may.
    private mutating func better(than attempt: Attempt) -> Attempt? {
        fits = attempt.quality
        return bisected(attempt.size)
    }

    private mutating func worse(than attempt: Attempt, _ byteCount: Int) -> Attempt? {
        if let tried = attempt.quality, let quality {
            exceeds = tried
            if fits != nil { return bisected(attempt.size) }
            let least = min(Self.leastQuality, quality)
            if tried > least { return Attempt(size: attempt.size, quality: least) }
        }
        return smaller(attempt, byteCount)
    }

    private func bisected(_ size: PixelSize) -> Attempt? {
        guard let fits, let exceeds, exceeds - fits > 0.02 else { return nil }
        return Attempt(size: size, quality: (fits + exceeds) / 2)
    }

    /// Bytes grow with the area: a little less than the size that should fit, and at least a pixel less.
    private mutating func smaller(_ attempt: Attempt, _ byteCount: Int) -> Attempt? {
        guard attempt.size != PixelSize(1, 1) else { return nil }
        let share = min(0.9, 0.95 * (Double(max(limit, 1)) / Double(byteCount)).squareRoot())
        // A file is never only pixels: too small a share would throw away what could be kept.
        let factor = max(0.25, share)
        exceeds = nil
        let size = PixelSize(
            max(1, Int(Double(attempt.size.width) * factor)), max(1, Int(Double(attempt.size.height) * factor)))
        return Attempt(size: size, quality: quality.map { min(Self.leastQuality, $0) })
    }
}
