/// What one slot of a target loads and shows, and in which order that happens (S022 to S034, R021): events come in, and what is
/// to be done for them goes out.
///
/// Loads are counted. What comes for one that was superseded is dropped, so that a slow old picture never overwrites a fast new one.
struct SlotState<Picture> {
    typealias Action = SlotAction<Picture>

    /// What a load's caller said about showing it.
    struct Plan: Sendable {
        var options: TargetOptions = []
        var hasCompletion = false
        var hasErrorPlaceholder = false
        /// Whether it brings the picture that is shown, only larger: until it is there, nothing changes.
        var isEnlargement = false

        fileprivate var showsPicture: Bool { !(options.contains(.avoidAutoSetImage) && hasCompletion) }
    }

    private struct Load {
        let generation: Int
        let plan: Plan
        /// Whether it has shown a whole picture: the cache's, before the server's.
        var hasShownPicture = false
    }

    /// That of the load that began last; the first is 1.
    private(set) var generation = 0
    private var loads: [Load] = []
    /// The load whose picture is shown: no earlier one may replace it.
    private var shownGeneration = 0
    /// Earlier loads were cancelled.
    private var oldestGeneration = 0
    /// Whether the indicator is to run for this slot.
    private(set) var isSpinning = false
    private var awaitedPlaceholder: PlaceholderKind?
    private var hasGrown = false
    /// Whether the whole picture that was bound last is shown.
    private var showsPicture = false

    // MARK: - The beginning

    /// A load begins, which ends those before it, before anything else (S023).
    mutating func begin(_ plan: Plan) -> [Action] {
        generation += 1
        var actions: [Action] = []
        if !plan.options.contains(.avoidAutoCancel), !plan.isEnlargement {
            actions = loads.map { .cancel($0.generation) }
            loads = []
            oldestGeneration = generation
        }
        if !plan.isEnlargement { showsPicture = false }
        loads.append(Load(generation: generation, plan: plan))
        awaitedPlaceholder = nil
        hasGrown = false
        return actions
    }

    /// The load that began last has no picture in hand: what was shown gives way. `isLoading` is false where there is nothing
    /// to load (S026).
    mutating func wait(isLoading: Bool = true) -> [Action] {
        guard let load = loads.last, load.generation == generation, !load.plan.isEnlargement else { return [] }
        var actions: [Action] = []
        if !load.plan.options.contains(.delayPlaceholder) {
            actions.append(placeholder(.usual, generation))
        }
        actions.append(.resetProgress(generation))
        if isLoading, !isSpinning {
            isSpinning = true
            actions.append(.startIndicator)
        }
        return actions
    }

    // MARK: - What comes

    /// Bytes came.
    func progress(_ progress: LoadProgress, _ generation: Int) -> [Action] {
        load(generation) == nil ? [] : [.report(progress, generation)]
    }

    /// A part of the picture came, or something that stands in for it.
    mutating func preview(_ picture: Picture, isPlaceholder: Bool = false, _ generation: Int) -> [Action] {
        guard let plan = load(generation)?.plan, plan.showsPicture, !plan.isEnlargement, mayShow(generation),
            !isPlaceholder || !plan.options.contains(.delayPlaceholder)
        else { return [] }
        return [show(picture, generation)]
    }

    /// The cache's picture came, before the server's.
    mutating func cached(_ picture: Picture, _ generation: Int) -> [Action] {
        guard let index = loads.firstIndex(where: { $0.generation == generation }) else { return [] }
        guard loads[index].plan.showsPicture, mayShow(generation) else { return [] }
        loads[index].hasShownPicture = true
        return [show(picture, generation)]
    }

    /// The picture came. `animates` tells whether the target has a transition for it.
    mutating func succeed(with picture: Picture, animates: Bool, _ generation: Int) -> [Action] {
        guard let load = remove(generation) else { return [] }
        var actions = stopped(generation)
        var completes = true
        if load.plan.showsPicture, mayShow(generation) {
            let shown = show(picture, generation)
            showsPicture = generation == self.generation
            if animates, !load.plan.isEnlargement {
                completes = !load.plan.options.contains(.waitTransition)
                actions.append(.animate(picture, generation, completes: !completes))
            } else {
                actions.append(shown)
            }
        }
        if completes { actions.append(.complete(generation)) }
        if generation == self.generation, hasGrown { actions += grow() }
        return actions
    }

    /// No picture came. A cancelled load changes nothing of what is shown.
    mutating func fail(isCancelled: Bool = false, _ generation: Int) -> [Action] {
        guard let load = remove(generation) else { return [] }
        var actions = stopped(generation)
        let isNews = generation == self.generation && !isCancelled && !load.plan.isEnlargement
        if isNews, !load.hasShownPicture {
            if load.plan.hasErrorPlaceholder {
                actions.append(placeholder(.error, generation))
            } else if load.plan.options.contains(.delayPlaceholder) {
                actions.append(placeholder(.usual, generation))
            }
        }
        actions.append(.complete(generation))
        return actions
    }

    /// A placeholder that took time is there: whether it is still to be shown.
    func awaits(_ kind: PlaceholderKind, _ generation: Int) -> Bool {
        generation == self.generation && awaitedPlaceholder == kind
    }

    // MARK: - What the target says

    /// Every load is to end.
    mutating func cancel() -> [Action] {
        var actions = stopped(generation)
        actions += loads.map { .cancel($0.generation) }
        loads = []
        awaitedPlaceholder = nil
        oldestGeneration = generation + 1
        return actions
    }

    /// The target needs more pixels than it asked for. A load that is under way ends first: the file is the same.
    mutating func grow() -> [Action] {
        hasGrown = load(generation) != nil
        return showsPicture && !hasGrown ? [.enlarge] : []
    }

    /// Whether what this load brings may still be shown: checked before each step, because each may begin another load.
    func mayShow(_ generation: Int) -> Bool {
        generation >= shownGeneration && generation >= oldestGeneration
    }

    // MARK: -

    private func load(_ generation: Int) -> Load? {
        loads.first { $0.generation == generation }
    }

    private mutating func remove(_ generation: Int) -> Load? {
        loads.firstIndex { $0.generation == generation }.map { loads.remove(at: $0) }
    }

    private mutating func show(_ picture: Picture, _ generation: Int) -> Action {
        shownGeneration = generation
        awaitedPlaceholder = nil
        return .show(picture, generation)
    }

    private mutating func placeholder(_ kind: PlaceholderKind, _ generation: Int) -> Action {
        awaitedPlaceholder = kind
        return .showPlaceholder(kind, generation)
    }

    private mutating func stopped(_ generation: Int) -> [Action] {
        guard isSpinning, generation == self.generation else { return [] }
        isSpinning = false
        return [.stopIndicator]
    }
}
