/// What showing a load in a target does differently; what the load itself does differently is in `ImageRequest.options`. The
/// names are SDWebImage's.
public struct TargetOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt16
    /// A set of these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Keep what is shown while the picture is loaded, and show the placeholder only if none comes (S025, S031).
    public static let delayPlaceholder = TargetOptions(rawValue: 1 << 0)
    /// Leave it to the completion to show the picture. Without a completion it is shown as ever (S029, S034).
    public static let avoidAutoSetImage = TargetOptions(rawValue: 1 << 1)
    /// Let the slot's earlier load go on (X015): what it brings is shown until the later one has something to show, and never
    /// in place of that.
    public static let avoidAutoCancel = TargetOptions(rawValue: 1 << 2)
    /// Run the transition wherever the picture comes from, memory included (X009).
    public static let forceTransition = TargetOptions(rawValue: 1 << 3)
    /// Call the completion when the transition has ended; at once where none runs (X016).
    public static let waitTransition = TargetOptions(rawValue: 1 << 4)
    /// Show the picture that memory has, of whatever size or age, in place of the placeholder (S016, S040). What is on disk only
    /// is not waited for.
    public static let previousCachedImage = TargetOptions(rawValue: 1 << 5)
    /// Decode the picture at its own size, not at the target's.
    public static let originalSize = TargetOptions(rawValue: 1 << 6)
}
