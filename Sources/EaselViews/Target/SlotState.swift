import EaselCore

/// The state machine of one slot of a target: it takes events and returns the actions to perform, in order.
///
/// Each load has a generation. Events of superseded loads are dropped, so that a slow old image never replaces a fast
/// new one.
struct SlotState<Image> {
    typealias Action = SlotAction<Image>

    /// The settings of a load.
    struct Plan: Sendable {
        var options: TargetOptions = []
        var hasCompletion = false
        var hasErrorPlaceholder = false
        /// Whether it loads the image that is shown at a larger size: until it ends, nothing changes.
        var isEnlargement = false

        fileprivate var showsImage: Bool { !(options.contains(.avoidAutoSetImage) && hasCompletion) }
    }

    private struct Load {
        let generation: Int
        let plan: Plan
        /// Whether it has shown a whole image, from the cache.
        var hasShownImage = false
    }

    /// The generation of the load that began last; the first is 1.
    private(set) var generation = 0
    private var loads: [Load] = []
    /// The load whose image is shown; no earlier one replaces it.
    private var shownGeneration = 0
    /// All earlier loads are cancelled.
    private var oldestGeneration = 0
    /// Whether the indicator runs for this slot.
    private(set) var isSpinning = false
    private var awaitedPlaceholder: PlaceholderKind?
    private var hasGrown = false
    /// Whether the whole image of the last load is shown.
    private var showsImage = false

    /// Begins a load, which cancels those before it.
    mutating func begin(_ plan: Plan) -> [Action] {
        generation += 1
        var actions: [Action] = []
        if !plan.options.contains(.avoidAutoCancel), !plan.isEnlargement {
            actions = loads.map { .cancel($0.generation) }
            loads = []
            oldestGeneration = generation
        }
        if !plan.isEnlargement { showsImage = false }
        loads.append(Load(generation: generation, plan: plan))
        awaitedPlaceholder = nil
        hasGrown = false
        return actions
    }

    /// Replaces what is shown while the last load, which found nothing in memory, is in flight. `isLoading` is false if
    /// there is nothing to load.
    mutating func wait(isLoading: Bool = true) -> [Action] {
        guard let load = loads.last, load.generation == generation, !load.plan.isEnlargement else { return [] }
        var actions: [Action] = []
        if !load.plan.options.contains(.delayPlaceholder) { actions.append(showPlaceholder(.usual, generation)) }
        actions.append(.resetProgress(generation))
        if isLoading, !isSpinning {
            isSpinning = true
            actions.append(.startIndicator)
        }
        return actions
    }

    func progress(_ progress: LoadProgress, _ generation: Int) -> [Action] {
        load(generation) == nil ? [] : [.report(progress, generation)]
    }

    /// Receives a preview or a placeholder.
    mutating func preview(_ image: Image, isPlaceholder: Bool = false, _ generation: Int) -> [Action] {
        guard let plan = load(generation)?.plan, plan.showsImage, !plan.isEnlargement, mayShow(generation),
            !isPlaceholder || !plan.options.contains(.delayPlaceholder)
        else { return [] }
        return [show(image, generation)]
    }

    /// Receives the cached image, before the server's.
    mutating func cached(_ image: Image, _ generation: Int) -> [Action] {
        guard let index = loads.firstIndex(where: { $0.generation == generation }), loads[index].plan.showsImage,
            mayShow(generation)
        else { return [] }
        loads[index].hasShownImage = true
        return [show(image, generation)]
    }

    /// Receives the image, which ends the load. `animates` is whether the target has a transition for it.
    mutating func succeed(with image: Image, animates: Bool, _ generation: Int) -> [Action] {
        guard let load = remove(generation) else { return [] }
        var actions = stopIndicator(generation)
        var completes = true
        if load.plan.showsImage, mayShow(generation) {
            let shown = show(image, generation)
            showsImage = generation == self.generation
            if animates, !load.plan.isEnlargement {
                completes = !load.plan.options.contains(.waitTransition)
                actions.append(.animate(image, generation, completes: !completes))
            } else {
                actions.append(shown)
            }
        }
        if completes { actions.append(.complete(generation)) }
        if generation == self.generation, hasGrown { actions += grow() }
        return actions
    }

    /// Receives an error, which ends the load. A cancelled load does not change the shown image.
    mutating func fail(isCancelled: Bool = false, _ generation: Int) -> [Action] {
        guard let load = remove(generation) else { return [] }
        var actions = stopIndicator(generation)
        let isNews = generation == self.generation && !isCancelled && !load.plan.isEnlargement
        if isNews, !load.hasShownImage {
            if load.plan.hasErrorPlaceholder {
                actions.append(showPlaceholder(.error, generation))
            } else if load.plan.options.contains(.delayPlaceholder) {
                actions.append(showPlaceholder(.usual, generation))
            }
        }
        actions.append(.complete(generation))
        return actions
    }

    /// Returns whether a placeholder that had to be rendered is still to be shown.
    func awaits(_ kind: PlaceholderKind, _ generation: Int) -> Bool {
        generation == self.generation && awaitedPlaceholder == kind
    }

    /// Cancels every load.
    mutating func cancel() -> [Action] {
        var actions = stopIndicator(generation)
        actions += loads.map { .cancel($0.generation) }
        loads = []
        awaitedPlaceholder = nil
        oldestGeneration = generation + 1
        return actions
    }

    /// Loads the image again for a larger target. A load in flight ends first: the file is the same.
    mutating func grow() -> [Action] {
        hasGrown = load(generation) != nil
        return showsImage && !hasGrown ? [.enlarge] : []
    }

    /// Returns whether this load may still show something. Checked before each action, because each may begin another
    /// load.
    func mayShow(_ generation: Int) -> Bool { generation >= max(shownGeneration, oldestGeneration) }

    private func load(_ generation: Int) -> Load? { loads.first { $0.generation == generation } }

    private mutating func remove(_ generation: Int) -> Load? {
        loads.firstIndex { $0.generation == generation }.map { loads.remove(at: $0) }
    }

    private mutating func show(_ image: Image, _ generation: Int) -> Action {
        shownGeneration = generation
        awaitedPlaceholder = nil
        return .show(image, generation)
    }

    private mutating func showPlaceholder(_ kind: PlaceholderKind, _ generation: Int) -> Action {
        awaitedPlaceholder = kind
        return .showPlaceholder(kind, generation)
    }

    private mutating func stopIndicator(_ generation: Int) -> [Action] {
        guard isSpinning, generation == self.generation else { return [] }
        isSpinning = false
        return [.stopIndicator]
    }
}

/// An action that `SlotState` requests. A load is named by its generation.
enum SlotAction<Image> {
    /// End the load with `cancelled`.
    case cancel(Int)
    /// Show the load's placeholder of this kind, or nothing.
    case showPlaceholder(PlaceholderKind, Int)
    case show(Image, Int)
    /// Show it with the target's transition, and complete the load after that.
    case animate(Image, Int, completes: Bool)
    case resetProgress(Int)
    case startIndicator
    case stopIndicator
    case report(LoadProgress, Int)
    case complete(Int)
    /// Load the same image again, at the target's present size.
    case enlarge
}

extension SlotAction: Sendable where Image: Sendable {}
extension SlotAction: Equatable where Image: Equatable {}

/// The occasion of a placeholder.
enum PlaceholderKind: Sendable {
    /// The image is loading, or failed without an error placeholder.
    case usual
    /// The image failed.
    case error
}
