#if GTK
public import EaselFoundation
public import Easel

extension ImageWidget {
    /// Shows the image of a request. An image in memory is shown before the call returns; otherwise a placeholder is
    /// shown until the image is loaded. Cancels the previous load of the slot.
    ///
    /// A request without a target size is decoded to the widget's size in display pixels, and again when the widget
    /// grows. The load starts when the widget is visible, unless `loadStart` specifies otherwise.
    ///
    /// - Parameters:
    ///   - request: The image and how to load it.
    ///   - placeholder: Shown until a better image is available, instead of the request's own.
    ///   - errorPlaceholder: Shown if the load fails without an image.
    ///   - options: How the view shows the load.
    ///   - slot: The slot of the image, which for buttons includes the state.
    ///   - manager: The manager that loads the image.
    ///   - completion: Receives the result, unless the widget was destroyed. Called before the function returns if the
    ///     image is in memory.
    ///   - progress: Receives the progress.
    ///   - setter: Shows the images instead of the widget, without transitions.
    public func setImage(
        with request: ImageRequest, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager = .shared,
        completion: ImageCompletion? = nil, progress: ImageProgress? = nil, setter: ImageSetter? = nil
    ) {
        let target = target
        target.label.update(request.url, of: widget)
        let load = WaitingLoad(url: request.url, completion: completion) { [unowned target] in
            target.setImage(
                with: request, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
                manager: manager, completion: completion, progress: progress, setter: setter)
        }
        var resolved = request
        if let placeholder { resolved.placeholder = placeholder }
        target.begin(load, resolved, in: slot, options, manager) { image in
            if let setter { setter(image) } else { target.show(image, in: slot) }
        }
    }

    /// Shows the image at a URL, or only the placeholder if the URL is `nil`; the result is then
    /// `ImageError.invalidURL`.
    public func setImage(
        with url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager = .shared,
        completion: ImageCompletion? = nil, progress: ImageProgress? = nil, setter: ImageSetter? = nil
    ) {
        if let url {
            return setImage(
                with: ImageRequest(url), placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options,
                in: slot, manager: manager, completion: completion, progress: progress, setter: setter)
        }
        let target = target
        target.label.update(nil, of: widget)
        target.dropWaiting(in: slot)
        target.setImage(
            with: nil as URL?, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: manager, completion: completion, progress: progress, setter: setter)
    }

    /// Shows an image while a button is in a state: `button.easel.setImage(with: url, for: .prelight)`.
    public func setImage(
        with url: URL?, for state: ControlState, placeholder: Placeholder? = nil, options: TargetOptions = [],
        manager: ImageManager = .shared, completion: ImageCompletion? = nil
    ) {
        setImage(
            with: url, placeholder: placeholder, options: options, in: .image(for: state), manager: manager,
            completion: completion)
    }

    /// Shows a decoded image, or nothing, and cancels the slot's load.
    public func setImage(_ image: DecodedImage?, in slot: ImageSlot = .image) {
        let target = target
        target.dropWaiting(in: slot)
        target.targetState.forgetImage(in: slot)
        target.label.update(nil, of: widget)
        target.show(image, in: slot)
    }

    /// Plays the images of several URLs in order, after all are loaded.
    public func setAnimationImages(
        with urls: [URL], manager: ImageManager = .shared, completion: FramesCompletion? = nil
    ) {
        let target = target
        target.dropWaiting(in: .image)
        target.setAnimationImages(with: urls, manager: manager, completion: completion)
    }
}
#endif
