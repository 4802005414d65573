/// Whatever shows pictures: a view, a button, a line of a terminal, a test's recorder. It says how to show one, and gets the rest:
/// `setImage(with:)` and all that belongs to it (S001, R020).
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
/// Nothing here keeps a target alive, and a target that dies cancels its loads.
@MainActor
public protocol ImageTarget: AnyObject {
    /// Shows a picture in one of the target's places, or nothing. Called on the main actor alone, and never for what has been
    /// superseded.
    func show(_ image: DecodedImage?, in slot: ImageSlot)

    /// Pixels across and down of what the target shows, `nil` (the default) or a side of zero while that is not known. Pictures are
    /// decoded to it. Say when it has grown: `targetSizeDidChange()`.
    var pixelSize: PixelSize? { get }

    /// The size to decode a slot's picture to, for requests that do not say. By default it covers `pixelSize`, which is enough
    /// whether the target shows the whole picture or fills itself.
    func targetSize(in slot: ImageSlot) -> TargetSize

    /// Shows a picture with a transition, and calls `finish` once when that has ended, also where something else was shown
    /// meanwhile. By default the picture is just shown.
    func show(
        _ image: DecodedImage, in slot: ImageSlot, with transition: ImageTransition,
        finish: @escaping @MainActor () -> Void)

    /// Plays pictures one after the other, those of `setAnimationImages(with:)`; none ends that. By default the first is shown.
    func showAnimation(of images: [DecodedImage])

    /// The indicator was replaced: a view takes the old one out and puts the new one in (X195). By default nothing happens.
    func replaceIndicator(_ old: (any LoadIndicator)?, with new: (any LoadIndicator)?)

    /// Where the loads of this target are kept. It lives and dies with the target: `let targetState = ImageTargetState()`, or
    /// whatever the platform has for data that belongs to an object. Letting go of it cancels them.
    ///
    /// A target without it gets a place in a table. That is all the same but for one thing: a table cannot know when an object
    /// dies. Loads of a dead target are then cancelled when they next have something to tell, or when the table is next cleaned.
    var targetState: ImageTargetState { get }
}

extension ImageTarget {
    /// Not known.
    public var pixelSize: PixelSize? { nil }

    /// Large enough to cover `pixelSize`; the original where that is not known.
    public func targetSize(in slot: ImageSlot) -> TargetSize {
        guard let pixelSize, pixelSize.width > 0, pixelSize.height > 0 else { return .original }
        return .pixels(pixelSize, mode: .aspectFill)
    }

    /// Shows the picture.
    public func show(
        _ image: DecodedImage, in slot: ImageSlot, with transition: ImageTransition,
        finish: @escaping @MainActor () -> Void
    ) {
        show(image, in: slot)
        finish()
    }

    /// Shows the first of them.
    public func showAnimation(of images: [DecodedImage]) { show(images.first, in: .image) }

    /// Does nothing.
    public func replaceIndicator(_ old: (any LoadIndicator)?, with new: (any LoadIndicator)?) {}

    /// A place in a table.
    public var targetState: ImageTargetState { TargetRegistry.shared.state(of: self) }
}
