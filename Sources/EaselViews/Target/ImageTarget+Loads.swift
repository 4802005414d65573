public import EaselCore
public import EaselFoundation

extension ImageTarget {
    // MARK: - Loading

    /// Shows the image of a request in a slot: from memory before the call returns, else a placeholder first. The
    /// slot's earlier load is cancelled, and nothing of it is shown any more.
    ///
    /// A request without a size gets the target's. The module `Easel` has the same without a manager.
    ///
    /// - Parameters:
    ///   - placeholder: Shown until there is something better, instead of the request's. Without any the slot is
    ///     cleared.
    ///   - errorPlaceholder: Shown if the load fails with nothing to show.
    ///   - completion: Receives the result; for an image in memory before the call returns.
    ///   - progress: Receives the progress.
    ///   - setter: Shows the images instead of the target, without transitions.
    @discardableResult
    public func setImage(
        with request: ImageRequest, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager,
        completion: ImageCompletion? = nil, progress: ImageProgress? = nil, setter: ImageSetter? = nil
    ) -> ImageTask {
        var request = request
        let takesTargetSize = request.targetSize == .original && !options.contains(.originalSize)
        if takesTargetSize { request.targetSize = targetSize(in: slot) }
        let load = TargetLoad(
            request: request, takesTargetSize: takesTargetSize, placeholder: placeholder ?? request.placeholder,
            errorPlaceholder: errorPlaceholder, options: options, manager: manager, setter: setter, progress: progress,
            completion: completion)
        return connectedState.bindSlot(slot).set(load, request)
    }

    /// Shows the image at a URL, or only the placeholder if the URL is `nil`; the result is then
    /// `ImageError.invalidURL`, before the call returns `nil`.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager,
        completion: ImageCompletion? = nil, progress: ImageProgress? = nil, setter: ImageSetter? = nil
    ) -> ImageTask? {
        if let url {
            return setImage(
                with: ImageRequest(url), placeholder: placeholder, errorPlaceholder: errorPlaceholder,
                options: options, in: slot, manager: manager, completion: completion, progress: progress,
                setter: setter)
        }
        let load = TargetLoad(
            placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, manager: manager,
            setter: setter, completion: completion)
        connectedState.bindSlot(slot).showNoURL(load)
        return nil
    }

    /// Plays the images of several requests in their order, once all have ended, without those that failed. The slots
    /// are not affected, and an earlier call's loads are cancelled.
    ///
    /// - Parameter completion: Receives the images, or the error if there are none.
    @discardableResult
    public func setAnimationImages(
        with requests: [ImageRequest], manager: ImageManager, completion: FramesCompletion? = nil
    ) -> [ImageTask] {
        let state = connectedState
        let size = targetSize(in: .image)
        let sized = requests.map { request in
            var request = request
            if request.targetSize == .original { request.targetSize = size }
            return request
        }
        let frames = FrameLoads(sized, of: state, completion: completion)
        state.setFrames(frames)
        return frames.begin(manager)
    }

    /// Plays the images of several URLs in their order.
    @discardableResult
    public func setAnimationImages(
        with urls: [URL], manager: ImageManager, completion: FramesCompletion? = nil
    ) -> [ImageTask] {
        setAnimationImages(with: urls.map { ImageRequest($0) }, manager: manager, completion: completion)
    }

    private var connectedState: ImageTargetState {
        let state = targetState
        state.connect(to: self)
        return state
    }

    // MARK: - What is loaded

    /// The URL that was set last, in any slot.
    public var imageURL: URL? { targetState.latest?.url }

    /// Returns the URL that was set last in a slot, or `nil` if there is none.
    public func imageURL(in slot: ImageSlot) -> URL? { targetState.slot(slot)?.url }

    /// Returns a slot's load while it is in flight.
    public func imageTask(in slot: ImageSlot = .image) -> ImageTask? { targetState.slot(slot)?.task }

    /// Returns the progress of a slot's load: 0 of `nil` at its beginning; 1 of 1 if it ended without any.
    public func imageProgress(in slot: ImageSlot = .image) -> LoadProgress { targetState.slot(slot)?.progress ?? .none }

    // MARK: - Control

    /// Cancels a slot's load. The shown image stays.
    public func cancelImageLoad(in slot: ImageSlot = .image) { targetState.slot(slot)?.cancel() }

    /// Cancels the loads of all slots, and of the animation.
    public func cancelImageLoads() { targetState.cancelAll() }

    /// Cancels the loads of `setAnimationImages(with:)`. A running animation continues.
    public func cancelAnimationImages() { targetState.setFrames(nil) }

    /// Shows that the target is loading; `nil` by default. It may be set at any time.
    public var indicator: (any LoadIndicator)? {
        get { targetState.indicator }
        set { connectedState.setIndicator(newValue) }
    }

    /// The transition to a loaded image: none by default.
    public var transition: ImageTransition? {
        get { targetState.transition }
        set { targetState.transition = newValue }
    }

    /// Reports that the target's size has changed. An image that was decoded to fewer pixels than are now needed is
    /// decoded again, and what is shown stays until then. Cheap enough for every layout.
    public func targetSizeDidChange() { targetState.sizeDidChange() }

    /// Reports that the target is off screen: its loads, present and future, get the priority of a prefetch.
    public func targetDidDisappear() { targetState.setOnScreen(false) }

    /// Reports that the target is on screen: its loads get the priority of their requests.
    public func targetDidAppear() { targetState.setOnScreen(true) }
}
