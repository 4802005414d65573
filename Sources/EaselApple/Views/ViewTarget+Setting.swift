#if canImport(UIKit) || canImport(AppKit)
public import EaselCore
public import Foundation

extension ViewTarget {
    /// Shows the image of a request in a slot of the view, loaded with `ViewTarget.manager`.
    @discardableResult
    public func setImage(
        with request: ImageRequest, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image
    ) -> ImageTask {
        setImage(
            with: request, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: Self.manager)
    }

    /// Shows the image of a request, and reports progress and completion. `setter` shows the images instead of the
    /// view.
    @discardableResult
    public func setImage(
        with request: ImageRequest, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, setter: ImageSetter? = nil,
        progress: ImageProgress? = nil, completion: ImageCompletion?
    ) -> ImageTask {
        setImage(
            with: request, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: Self.manager, setter: setter, progress: progress, completion: completion)
    }

    /// Shows the image at a URL, or only the placeholder if the URL is `nil`.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image
    ) -> ImageTask? {
        setImage(
            with: url, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: Self.manager)
    }

    /// Shows the image at a URL, and reports progress and completion. A `nil` URL completes with
    /// `ImageError.invalidURL`.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, setter: ImageSetter? = nil,
        progress: ImageProgress? = nil, completion: ImageCompletion?
    ) -> ImageTask? {
        setImage(
            with: url, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: Self.manager, setter: setter, progress: progress, completion: completion)
    }

    /// Plays the images of several URLs in order, after all are loaded.
    @discardableResult
    public func setAnimationImages(with urls: [URL], completion: FramesCompletion? = nil) -> [ImageTask] {
        setAnimationImages(with: urls, manager: Self.manager, completion: completion)
    }
}
#endif
