public import EaselCore

/// An object that shows images: a view, a button, a line of a terminal, a recorder in a test. It implements how an
/// image is shown and gets `setImage(with:)` and all that belongs to it.
///
/// ```swift
/// final class Thumbnail: ImageTarget {
///     let targetState = ImageTargetState()
///     func show(_ image: DecodedImage?, in slot: ImageSlot) { layer.contents = image }
///     var pixelSize: PixelSize? { PixelSize(64, 64) }
/// }
/// thumbnail.setImage(with: url)
/// ```
///
/// Loads do not retain their target, and end with it.
@MainActor
public protocol ImageTarget: AnyObject {
    /// Shows an image in one of the target's slots, or clears it. Never called for a load that was superseded.
    func show(_ image: DecodedImage?, in slot: ImageSlot)

    /// The size of the target in pixels; `nil` (the default), or a side of zero, while it is unknown. Images are
    /// decoded to it. Call `targetSizeDidChange()` when it has grown.
    var pixelSize: PixelSize? { get }

    /// Returns the size to decode a slot's image to, for requests without one. By default it covers `pixelSize`, which
    /// suffices whether the target shows the whole image or fills itself.
    func targetSize(in slot: ImageSlot) -> TargetSize

    /// Shows an image with a transition, and calls `finish` once when that has ended, also if it was interrupted. By
    /// default the image is shown without a transition.
    func show(
        _ image: DecodedImage, in slot: ImageSlot, with transition: ImageTransition,
        finish: @escaping @MainActor () -> Void)

    /// Plays the images of `setAnimationImages(with:)` in a loop; an empty array ends that. By default the first is
    /// shown.
    func showAnimation(of images: [DecodedImage])

    /// Replaces the indicator: a view removes the old one and adds the new one. By default nothing happens.
    func replaceIndicator(_ old: (any LoadIndicator)?, with new: (any LoadIndicator)?)

    /// The state of this target's loads, with the lifetime of the target: `let targetState = ImageTargetState()`, or an
    /// associated object of the platform. Its deinit cancels the loads.
    ///
    /// By default the state is in a table, which cannot notice the target's deinit: the loads are then cancelled at
    /// their next event, or when the table is next cleaned.
    var targetState: ImageTargetState { get }
}

extension ImageTarget {
    /// Unknown.
    public var pixelSize: PixelSize? { nil }

    /// Returns a size that covers `pixelSize`, or the original if that is unknown.
    public func targetSize(in slot: ImageSlot) -> TargetSize {
        guard let pixelSize, pixelSize.width > 0, pixelSize.height > 0 else { return .original }
        return .pixels(pixelSize, mode: .aspectFill)
    }

    /// Shows the image.
    public func show(
        _ image: DecodedImage, in slot: ImageSlot, with transition: ImageTransition,
        finish: @escaping @MainActor () -> Void
    ) {
        show(image, in: slot)
        finish()
    }

    /// Shows the first image.
    public func showAnimation(of images: [DecodedImage]) { show(images.first, in: .image) }

    /// Does nothing.
    public func replaceIndicator(_ old: (any LoadIndicator)?, with new: (any LoadIndicator)?) {}

    /// A state in a table.
    public var targetState: ImageTargetState { TargetRegistry.shared.state(of: self) }
}

/// An indicator that a target is loading: a spinner, or a bar.
///
/// A target has none until one is assigned to `ImageTarget.indicator`. It starts between the placeholder and the load,
/// and stops before the result is shown. If several slots load at once, it runs from the first to the last of them.
@MainActor
public protocol LoadIndicator: AnyObject {
    /// Called when a load has begun.
    func start()
    /// Called when the last load has ended.
    func stop()
    /// Shows the progress of the slot that began last, from 0 to 1; 0 while the total is unknown.
    func update(fraction: Double)
}

extension LoadIndicator {
    /// Does nothing, as a spinner.
    public func update(fraction: Double) {}
}

/// Shows an image instead of `ImageTarget.show(_:in:)`.
public typealias ImageSetter = @MainActor (DecodedImage?) -> Void
/// Receives the progress of a load. Updates that come while the main actor is busy are merged.
public typealias ImageProgress = @MainActor (LoadProgress) -> Void
/// Receives the result of a load, once, unless the target was released. A load that was superseded or cancelled ends
/// with `ImageError.cancelled`, in a later turn of the main actor.
public typealias ImageCompletion = @MainActor (Result<ImageResponse, ImageError>) -> Void
/// Receives the images of an animation, once, unless the target was released.
public typealias FramesCompletion = @MainActor (Result<[DecodedImage], ImageError>) -> Void
