public import EaselCore
public import EaselViews
public import Foundation

extension ImageTarget {
    /// Shows the image of a request, loaded with `ImageManager.shared`.
    @discardableResult
    public func setImage(
        with request: ImageRequest, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, completion: ImageCompletion? = nil,
        progress: ImageProgress? = nil, setter: ImageSetter? = nil
    ) -> ImageTask {
        setImage(
            with: request, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: .shared, completion: completion, progress: progress, setter: setter)
    }

    /// Shows the image at a URL, or only the placeholder if the URL is `nil`, loaded with `ImageManager.shared`.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, completion: ImageCompletion? = nil,
        progress: ImageProgress? = nil, setter: ImageSetter? = nil
    ) -> ImageTask? {
        setImage(
            with: url, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: .shared, completion: completion, progress: progress, setter: setter)
    }

    /// Plays the images of several requests in order.
    @discardableResult
    public func setAnimationImages(
        with requests: [ImageRequest], completion: FramesCompletion? = nil
    ) -> [ImageTask] {
        setAnimationImages(with: requests, manager: .shared, completion: completion)
    }

    /// Plays the images of several URLs in order.
    @discardableResult
    public func setAnimationImages(with urls: [URL], completion: FramesCompletion? = nil) -> [ImageTask] {
        setAnimationImages(with: urls, manager: .shared, completion: completion)
    }
}
