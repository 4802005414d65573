/// What `SlotState` says is to be done. A load is named by its generation.
enum SlotAction<Picture> {
    /// End the load; its completion hears `cancelled`.
    case cancel(Int)
    /// Show the load's placeholder of this kind, or nothing.
    case showPlaceholder(PlaceholderKind, Int)
    case show(Picture, Int)
    /// Show it with the target's transition, and complete the load behind that.
    case animate(Picture, Int, completes: Bool)
    case resetProgress(Int)
    case startIndicator
    case stopIndicator
    case report(LoadProgress, Int)
    case complete(Int)
    /// Load the same picture again, at the size that the target has now.
    case enlarge
}

extension SlotAction: Sendable where Picture: Sendable {}
extension SlotAction: Equatable where Picture: Equatable {}

/// What stands in for a picture.
enum PlaceholderKind: Sendable {
    /// That is still to come, or did not come.
    case usual
    /// That did not come, where there is one for that.
    case error
}
