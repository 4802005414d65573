/// What a load does differently. The names are SDWebImage's; the numbers are not promised.
public struct LoadOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt32
    /// A set of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Try although the URL failed a short while ago.
    public static let retryFailed = LoadOptions(rawValue: 1 << 0)
    /// Deliver the cached image first, then revalidate it: a `.cached` event, then `.finished`, with the same image if
    /// it has not changed. Even a fresh image is revalidated, unless it is immutable under the policy `standard`.
    public static let refreshCached = LoadOptions(rawValue: 1 << 1)
    /// Accept a server whose certificate is invalid. For tests.
    public static let allowInvalidCertificates = LoadOptions(rawValue: 1 << 2)
    /// Scale a larger image down to 60 MB of pixels. Part of the key.
    public static let scaleDownLargeImages = LoadOptions(rawValue: 1 << 3)
    /// Deliver the file's bytes too when the image comes from memory.
    public static let queryMemoryData = LoadOptions(rawValue: 1 << 4)
    /// Take the image from the cache or fail with `notCached`.
    public static let fromCacheOnly = LoadOptions(rawValue: 1 << 5)
    /// Skip the cache lookup; the result is still stored.
    public static let fromLoaderOnly = LoadOptions(rawValue: 1 << 6)
    /// End only after the cache is written.
    public static let waitStoreCache = LoadOptions(rawValue: 1 << 7)
    /// Share no work with equal loads.
    public static let avoidCoalescing = LoadOptions(rawValue: 1 << 8)
    /// Deliver what there is of an image whose file ends early, marked `isPartial`. It is not cached.
    public static let allowPartial = LoadOptions(rawValue: 1 << 9)
    /// Deliver previews while the file downloads, if the format allows it: `.preview` events, coarse ones first. They
    /// are transformed as the image is, and never cached.
    public static let progressive = LoadOptions(rawValue: 1 << 10)
    /// End the download as soon as the bytes suffice for the target size: the first scans of a progressive JPEG are all
    /// that a thumbnail needs. `LoadTimeline.bytesSaved` counts the rest. The image may differ from that of the whole
    /// file by a few levels, so the option is part of its key. The bytes stay as a partial download that a later load
    /// of the whole file resumes.
    public static let stopWhenSufficient = LoadOptions(rawValue: 1 << 11)
    /// Transform the frames of an animation too, each when it is shown. Without it only still images are transformed,
    /// the single frame of an animation among them.
    public static let transformAnimatedImage = LoadOptions(rawValue: 1 << 12)
    /// Deliver an animation's first frame as a still image, also if the animation is in memory.
    public static let decodeFirstFrameOnly = LoadOptions(rawValue: 1 << 19)
    /// Decode all frames of an animation before the load ends, and keep them in memory with it, if they take no more
    /// than `FrameStore.automaticLimit`. An animation from memory stays as it is there.
    public static let preloadAllFrames = LoadOptions(rawValue: 1 << 20)
    /// The same as `ImageRequest.priority` `.low`.
    public static let lowPriority = LoadOptions(rawValue: 1 << 24)
    /// The same as `ImageRequest.priority` `.high`. Takes precedence over `lowPriority`.
    public static let highPriority = LoadOptions(rawValue: 1 << 25)
    /// Write nothing to disk: `ImageRequest.cache` stores neither the image nor its file there.
    public static let cacheMemoryOnly = LoadOptions(rawValue: 1 << 26)
    /// Send and keep cookies: the same as `ImageRequest.HTTP.handlesCookies`.
    public static let handleCookies = LoadOptions(rawValue: 1 << 27)
    /// Continue for a while when the application leaves the screen, for as long as the manager's `backgroundTime`
    /// allows; then the load is cancelled. Changes nothing if the manager has none, as on Linux.
    public static let continueInBackground = LoadOptions(rawValue: 1 << 28)
}

extension ImageRequest {
    /// The same request with fields in place of the options that stand for them, so that equal work is equal values.
    var withOptionsInFields: ImageRequest {
        let standing: LoadOptions = [.lowPriority, .highPriority, .cacheMemoryOnly, .handleCookies]
        guard !options.isDisjoint(with: standing) else { return self }
        var request = self
        if options.contains(.lowPriority) { request.priority = .low }
        if options.contains(.highPriority) { request.priority = .high }
        if options.contains(.cacheMemoryOnly) {
            request.cache.store.remove(.disk)
            request.cache.storeOriginal.remove(.disk)
        }
        if options.contains(.handleCookies) { request.http.handlesCookies = true }
        request.options.subtract(standing)
        return request
    }
}

/// How urgent a load is. Work that several loads share has the highest of theirs, live.
public enum LoadPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Prefetching, and what is not on screen.
    case low
    /// What is on screen.
    case normal
    /// What the user waits for.
    case high

    /// Ordered by urgency.
    public static func < (first: LoadPriority, second: LoadPriority) -> Bool { first.rawValue < second.rawValue }

    /// The priority of the tasks that such a load runs in.
    var taskPriority: TaskPriority {
        switch self {
        case .low: .low
        case .normal: .medium
        case .high: .high
        }
    }
}
