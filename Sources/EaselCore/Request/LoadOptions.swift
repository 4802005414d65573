/// The options of a load. Their bits may change between versions.
public struct LoadOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt32
    /// Creates a set of options from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Try again although the URL failed a short while ago.
    public static let retryFailed = LoadOptions(rawValue: 1 << 0)
    /// Deliver the cached image in a `.cached` event, revalidate it, and then deliver the current one. A fresh image is
    /// revalidated too, unless it is immutable under the policy `standard`.
    public static let refreshCached = LoadOptions(rawValue: 1 << 1)
    /// Accept servers with an invalid certificate. For tests.
    public static let allowInvalidCertificates = LoadOptions(rawValue: 1 << 2)
    /// Scale a larger image down to 60 MB of pixels. Part of the key.
    public static let scaleDownLargeImages = LoadOptions(rawValue: 1 << 3)
    /// Deliver the file's bytes also if the image is in memory.
    public static let queryMemoryData = LoadOptions(rawValue: 1 << 4)
    /// Take the image from the cache or fail with `notCached`.
    public static let fromCacheOnly = LoadOptions(rawValue: 1 << 5)
    /// Skip the cache lookup; the result is still stored.
    public static let fromLoaderOnly = LoadOptions(rawValue: 1 << 6)
    /// End only after the cache is written.
    public static let waitStoreCache = LoadOptions(rawValue: 1 << 7)
    /// Share no work with equal loads.
    package static let avoidCoalescing = LoadOptions(rawValue: 1 << 8)
    /// Deliver the decodable part of a file that ends early, marked `isPartial`. It is not cached.
    public static let allowPartial = LoadOptions(rawValue: 1 << 9)
    /// Deliver previews while the file downloads, if the format allows it: `.preview` events, coarse ones first. They
    /// are transformed like the image, and not cached.
    public static let progressive = LoadOptions(rawValue: 1 << 10)
    /// End the download when the bytes suffice for the target size: a thumbnail needs only the first scans of a
    /// progressive JPEG. The image can differ by a few levels from that of the whole file, so the option is part of its
    /// key. A later load of the whole file resumes the download.
    public static let stopWhenSufficient = LoadOptions(rawValue: 1 << 11)
    /// Transform the frames of an animation, each when it is shown. Without this, only still images are transformed.
    public static let transformAnimatedImage = LoadOptions(rawValue: 1 << 12)
    /// Deliver the first frame of an animation as a still image, also if the animation is in memory.
    public static let decodeFirstFrameOnly = LoadOptions(rawValue: 1 << 13)
    /// Decode all frames of an animation before the load ends, and keep them in memory, if they take at most an eighth
    /// of the memory of the process, and at most 256 MB. Has no effect on an animation from memory.
    public static let preloadAllFrames = LoadOptions(rawValue: 1 << 14)
    /// Continue for as long as the manager's `backgroundTime` allows after the application leaves the screen. Has no
    /// effect if the manager has none, as on Linux.
    public static let continueInBackground = LoadOptions(rawValue: 1 << 15)
}

/// The priority of a load, from the lowest. Shared work has the highest priority of its loads.
public enum LoadPriority: Sendable, Hashable, Comparable, CaseIterable {
    /// For prefetching, and images that are not on screen.
    case low
    /// For images on screen.
    case normal
    /// For images that the user waits for.
    case high

    /// The position in `allCases`, from the lowest.
    var index: Int {
        switch self {
        case .low: 0
        case .normal: 1
        case .high: 2
        }
    }

    /// The priority of the tasks of such a load.
    var taskPriority: TaskPriority {
        switch self {
        case .low: .low
        case .normal: .medium
        case .high: .high
        }
    }
}
