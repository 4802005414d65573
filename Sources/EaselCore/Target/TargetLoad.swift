import EaselFoundation

/// What `setImage` was called with.
@MainActor
struct TargetLoad {
    /// As the caller gave it, with the target's size where it has none of its own; `nil` for a URL that is `nil`.
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

    /// What stands in for the picture.
    func placeholder(_ kind: PlaceholderKind) -> Placeholder? {
        switch kind {
        case .error: errorPlaceholder
        case .usual where options.contains(.previousCachedImage):
            // Memory alone: the main actor does not wait for a disk.
            placeholder.map { .bestAvailable($0) } ?? .cachedVariant
        case .usual: placeholder
        }
    }
}

/// Shows a picture in place of `ImageTarget.show(_:in:)` (S018, S043).
public typealias ImageSetter = @MainActor (DecodedImage?) -> Void
/// Hears how far a load is. Bytes that came while the main actor was busy are told once (S020).
public typealias ImageProgress = @MainActor (LoadProgress) -> Void
/// Hears how a load ended, on the main actor (S049): once, unless the target is gone (S028, X197). One that was superseded or
/// cancelled ends with `ImageError.cancelled`, in a later turn than that in which it happened.
public typealias ImageCompletion = @MainActor (Result<ImageResponse, ImageError>) -> Void
