public import EaselFoundation

extension ImageTarget {
    // MARK: - What is loaded

    /// The URL that was bound last, in whatever slot (S014, X192).
    public var imageURL: URL? { targetState.latest?.url }

    /// The URL that was bound to a slot last: `nil` where that was none, and never another slot's (X193).
    public func imageURL(in slot: ImageSlot) -> URL? { targetState.slot(slot)?.url }

    /// A slot's load, while it is under way (S035).
    public func imageTask(in slot: ImageSlot = .image) -> ImageTask? { targetState.slot(slot)?.task }

    /// How far a slot's load is: nothing of nothing at its beginning; 1 of 1 where it ended and nothing was heard (X192).
    public func imageProgress(in slot: ImageSlot = .image) -> LoadProgress {
        targetState.slot(slot)?.progress ?? .none
    }

    // MARK: - What ends it

    /// Cancels a slot's load (S015, S037). What is shown stays.
    public func cancelImageLoad(in slot: ImageSlot = .image) { targetState.slot(slot)?.cancel() }

    /// Cancels the loads of all slots, and of the animation.
    public func cancelImageLoads() { targetState.cancelAll() }

    /// Cancels the loads of `setAnimationImages(with:)` (S017). What plays goes on.
    public func cancelAnimationImages() { targetState.setFrames(nil) }

    // MARK: - How it is shown

    /// Shows that the target is loading; none by default (S045). It may be set at any time.
    public var indicator: (any LoadIndicator)? {
        get { targetState.indicator }
        set {
            let state = targetState
            state.connect(to: self)
            state.setIndicator(newValue)
        }
    }

    /// How a picture that was loaded takes the place of what was there: at once by default (S044).
    public var transition: ImageTransition? {
        get { targetState.transition }
        set { targetState.transition = newValue }
    }

    // MARK: - What the target has to say

    /// The target shows more pixels, or fewer: a picture that was decoded to fewer than it now needs is decoded again, and what
    /// is shown stays until that is there. Costs little: tell it at every layout.
    public func targetSizeDidChange() { targetState.sizeDidChange() }

    /// The target cannot be seen: its loads become as urgent as a prefetch, and those that it begins are.
    public func targetDidDisappear() { targetState.setOnScreen(false) }

    /// The target can be seen: its loads become as urgent as they were asked for.
    public func targetDidAppear() { targetState.setOnScreen(true) }
}
