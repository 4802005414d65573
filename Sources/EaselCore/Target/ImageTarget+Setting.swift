public import EaselFoundation

extension ImageTarget {
    /// Shows the picture of a request in a slot: from memory before the call returns, else a placeholder first, and the picture as
    /// soon as it is there. What the slot was loading is cancelled, and nothing of it is shown any more (S013, S022 to S034).
    ///
    /// A request that does not say gets the target's size. The module `Easel` has the same without a manager.
    ///
    /// - Parameters:
    ///   - placeholder: shown until there is something better, in place of the request's own. Without any the slot is cleared.
    ///   - errorPlaceholder: shown where the load fails with nothing to show.
    @discardableResult
    public func setImage(
        with request: ImageRequest, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager
    ) -> ImageTask {
        setImage(
            with: request, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: manager, completion: nil)
    }

    /// The same, and tells how it goes and how it ends.
    ///
    /// - Parameters:
    ///   - setter: shows the pictures in place of the target, without transitions (S018, S043).
    ///   - progress: hears how far it is.
    ///   - completion: hears how it ended; for a picture in memory before the call returns (S047).
    @discardableResult
    public func setImage(
        with request: ImageRequest, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager, setter: ImageSetter? = nil,
        progress: ImageProgress? = nil, completion: ImageCompletion?
    ) -> ImageTask {
        let state = targetState
        state.connect(to: self)
        var request = request
        let takesTargetSize = request.targetSize == .original && !options.contains(.originalSize)
        if takesTargetSize { request.targetSize = targetSize(in: slot) }
        let load = TargetLoad(
            request: request, takesTargetSize: takesTargetSize, placeholder: placeholder ?? request.placeholder,
            errorPlaceholder: errorPlaceholder, options: options, manager: manager, setter: setter, progress: progress,
            completion: completion)
        return state.bindingSlot(slot).set(load, request)
    }

    /// Shows the picture at a URL; with `nil` the placeholder alone.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager
    ) -> ImageTask? {
        setImage(
            with: url, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: manager, completion: nil)
    }

    /// The same, and tells how it goes and how it ends: where there is no URL with `ImageError.invalidURL`, before the call
    /// returns `nil` (S026).
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, manager: ImageManager, setter: ImageSetter? = nil,
        progress: ImageProgress? = nil, completion: ImageCompletion?
    ) -> ImageTask? {
        if let url {
            return setImage(
                with: ImageRequest(url), placeholder: placeholder, errorPlaceholder: errorPlaceholder,
                options: options, in: slot, manager: manager, setter: setter, progress: progress,
                completion: completion)
        }
        let state = targetState
        state.connect(to: self)
        let load = TargetLoad(
            placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, manager: manager,
            setter: setter, completion: completion)
        state.bindingSlot(slot).setNothing(load)
        return nil
    }

    /// Plays the pictures of several requests in their order (S017, S041, S042): once all are there, those that failed left out. It
    /// has no say about the slots, and an earlier call's loads are cancelled.
    ///
    /// - Parameter completion: gets the pictures, or why there is none of them.
    @discardableResult
    public func setAnimationImages(
        with requests: [ImageRequest], manager: ImageManager, completion: FramesCompletion? = nil
    ) -> [ImageTask] {
        let state = targetState
        state.connect(to: self)
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

    /// Plays the pictures of several URLs in their order.
    @discardableResult
    public func setAnimationImages(
        with urls: [URL], manager: ImageManager, completion: FramesCompletion? = nil
    ) -> [ImageTask] {
        setAnimationImages(with: urls.map { ImageRequest($0) }, manager: manager, completion: completion)
    }
}
