/// What a load does differently. The names are SDWebImage's (S077 to S089, X001); the numbers are not promised.
public struct LoadOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt32
    /// A set of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Try although the URL failed a short while ago (S077).
    public static let retryFailed = LoadOptions(rawValue: 1 << 0)
    /// Show what is cached first, and then what the server says to that (S081): events are `.cached`, then one `.finished`
    /// (R002), with the same picture where it has not changed. The server is asked even about what is fresh, unless it
    /// is immutable under the policy `standard`.
    public static let refreshCached = LoadOptions(rawValue: 1 << 1)
    /// Accept a server that cannot prove who it is (S084). For tests.
    public static let allowInvalidCertificates = LoadOptions(rawValue: 1 << 2)
    /// Never decode more than 60 MB of pixels: a larger picture is scaled down (S089, X157). It is part of the key (X004 is not copied).
    public static let scaleDownLargeImages = LoadOptions(rawValue: 1 << 3)
    /// Give the file's bytes too when the picture comes from memory (X005).
    public static let queryMemoryData = LoadOptions(rawValue: 1 << 4)
    /// Take it from the cache or fail with `notCached` (X007).
    public static let fromCacheOnly = LoadOptions(rawValue: 1 << 5)
    /// Do not look in the cache; what comes is still stored (X008).
    public static let fromLoaderOnly = LoadOptions(rawValue: 1 << 6)
    /// End only after the cache has been written (X013).
    public static let waitStoreCache = LoadOptions(rawValue: 1 << 7)
    /// Do not share work with equal loads (B66).
    public static let avoidCoalescing = LoadOptions(rawValue: 1 << 8)
    /// Deliver what there is of a picture whose file ends early, marked `isPartial`. It is not cached (R012).
    public static let allowPartial = LoadOptions(rawValue: 1 << 9)
    /// Show what there is of a picture while its file comes, where the format can (S080): events are `.preview`, coarse ones
    /// first, never behind the end. They are transformed as the picture is, and never cached.
    public static let progressive = LoadOptions(rawValue: 1 << 10)
    /// End the download as soon as what has come shows, at the size that is asked for, what the whole file would: the first
    /// scans of a progressive JPEG are all that a thumbnail needs. `LoadTimeline.bytesSaved` tells what was not loaded. The
    /// picture may differ from that of the whole file by a few levels, so that the option is part of its key. What has come
    /// stays as a part that a later load of the whole goes on from (P011).
    public static let stopWhenSufficient = LoadOptions(rawValue: 1 << 11)
    /// Transform the frames of an animation too, each when it is shown (S087, X010). Without it only still pictures are
    /// transformed, the single frame of an animation among them.
    public static let transformAnimatedImage = LoadOptions(rawValue: 1 << 12)
    /// Give an animation's first frame as a still picture, also where the animation is in memory (X010).
    public static let decodeFirstFrameOnly = LoadOptions(rawValue: 1 << 19)
    /// Decode all frames of an animation before the load ends, and keep them in memory with it, where they take no more than
    /// `FrameStore.automaticLimit` (X011). An animation from memory is as it is there.
    public static let preloadAllFrames = LoadOptions(rawValue: 1 << 20)
}
