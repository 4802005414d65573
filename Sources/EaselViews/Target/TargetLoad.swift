import EaselCore

/// Options of how a target shows a load; `ImageRequest.options` determine the load itself. The names are SDWebImage's.
public struct TargetOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt16
    /// Creates a set of these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Keep what is shown during the load, and show the placeholder only if no image comes.
    public static let delayPlaceholder = TargetOptions(rawValue: 1 << 0)
    /// Leave showing the image to the completion. Without a completion it is shown as usual.
    public static let avoidAutoSetImage = TargetOptions(rawValue: 1 << 1)
    /// Let the slot's earlier load continue: its result is shown until the later one has something to show, and never
    /// instead of that.
    public static let avoidAutoCancel = TargetOptions(rawValue: 1 << 2)
    /// Run the transition wherever the image comes from, memory included.
    public static let forceTransition = TargetOptions(rawValue: 1 << 3)
    /// Call the completion when the transition has ended; at once if none runs.
    public static let waitTransition = TargetOptions(rawValue: 1 << 4)
    /// Show an image from memory, of any size or age, instead of the placeholder. The disk is not read.
    public static let previousCachedImage = TargetOptions(rawValue: 1 << 5)
    /// Decode the image at its own size, not at the target's.
    public static let originalSize = TargetOptions(rawValue: 1 << 6)
}

/// The arguments of `setImage`.
@MainActor
struct TargetLoad {
    /// The request, with the target's size if it has no size; `nil` for a URL that is `nil`.
    var request: ImageRequest?
    /// Whether the request's size is the target's, and grows with it.
    var takesTargetSize = false
    var placeholder: Placeholder?
    var errorPlaceholder: Placeholder?
    var options: TargetOptions
    var manager: ImageManager
    var setter: ImageSetter?
    var progress: ImageProgress?
    var completion: ImageCompletion?
    var isEnlargement = false

    var plan: SlotState<DecodedImage>.Plan {
        SlotState.Plan(
            options: options, hasCompletion: completion != nil, hasErrorPlaceholder: errorPlaceholder != nil,
            isEnlargement: isEnlargement)
    }

    func placeholder(_ kind: PlaceholderKind) -> Placeholder? {
        switch kind {
        case .error: errorPlaceholder
        case .usual where options.contains(.previousCachedImage):
            placeholder.map { .first([.cachedVariant, $0]) } ?? .cachedVariant
        case .usual: placeholder
        }
    }
}
