#if GTK
public import EaselFoundation
public import Easel

extension ImageWidget {
    /// Shows the image of a request: from memory before the call returns, else a placeholder first, and the image as soon as
    /// it is there. The slot's previous load is cancelled, and shows nothing more.
    ///
    /// A request that does not say is decoded to the widget's size in the display's pixels, and again when that has grown. Unless
    /// `loadStart` says otherwise, the load begins when the widget is seen.
    ///
    /// - Parameters:
    ///   - placeholder: shown until there is something better, in place of the request's own.
    ///   - errorPlaceholder: shown where the load fails with nothing to show.
    ///   - slot: the place, and for buttons the state, that it is for.
    public func setImage(
        with request: ImageRequest, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager = .shared
    ) {
        setImage(
            with: request, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: manager, completion: nil)
    }

    /// The same, and tells how it goes and how it ends.
    ///
    /// - Parameters:
    ///   - setter: shows the images instead of the widget, without transitions.
    ///   - progress: hears how far it is.
    ///   - completion: hears how it ended, unless the widget is gone; for an image in memory before the call returns.
    public func setImage(
        with request: ImageRequest, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager = .shared,
        setter: ImageSetter? = nil, progress: ImageProgress? = nil, completion: ImageCompletion?
    ) {
        let target = target
        target.label.tell(request.url, of: widget)
        let load = WaitingLoad(url: request.url, completion: completion) { [unowned target] in
            target.setImage(
                with: request, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
                manager: manager, setter: setter, progress: progress, completion: completion)
        }
        var shown = request
        if let placeholder { shown.placeholder = placeholder }
        target.begin(load, shown, in: slot, options, manager) { image in
            if let setter { setter(image) } else { target.show(image, in: slot) }
        }
    }

    /// Shows the image at a URL; with `nil` the placeholder alone.
    public func setImage(
        with url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager = .shared
    ) {
        setImage(
            with: url, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: manager, completion: nil)
    }

    /// The same, and tells how it goes and how it ends: where there is no URL with `ImageError.invalidURL`.
    public func setImage(
        with url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager = .shared,
        setter: ImageSetter? = nil, progress: ImageProgress? = nil, completion: ImageCompletion?
    ) {
        if let url {
            return setImage(
                with: ImageRequest(url), placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options,
                in: slot, manager: manager, setter: setter, progress: progress, completion: completion)
        }
        let target = target
        target.dropWaiting(in: slot)
        target.setImage(
            with: nil as URL?, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: manager, setter: setter, progress: progress, completion: completion)
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

    /// Shows an image that is at hand, or nothing, and ends the slot's load.
    public func setImage(_ image: DecodedImage?, in slot: ImageSlot = .image) {
        cancelImageLoad(in: slot)
        target.show(image, in: slot)
    }

    /// Plays the images of several URLs in their order, once all are there.
    public func setAnimationImages(
        with urls: [URL], manager: ImageManager = .shared, completion: FramesCompletion? = nil
    ) {
        let target = target
        target.dropWaiting(in: .image)
        target.setAnimationImages(with: urls, manager: manager, completion: completion)
    }
}
#endif
