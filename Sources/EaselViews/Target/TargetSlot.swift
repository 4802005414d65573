import EaselCore
import EaselFoundation

/// One slot of one target: performs the actions of its `SlotState`.
@MainActor
final class TargetSlot {
    /// A load whose completion is not called yet.
    private struct Running {
        var load: TargetLoad
        var relay: LoadRelay?
        var outcome: Result<ImageResponse, ImageError>?
    }

    private let slot: ImageSlot
    private weak var owner: ImageTargetState?
    private var state = SlotState<DecodedImage>()
    /// By generation: at most one, unless the option `avoidAutoCancel` is used.
    private var running: [Int: Running] = [:]
    /// The load that began last.
    private var bound: TargetLoad?
    /// The progress of the load that began last, as far as it was delivered.
    private var deliveredProgress = LoadProgress.none
    /// How the shown image was decoded, if known.
    private var sampling: Sampling?

    init(_ slot: ImageSlot, of owner: ImageTargetState) {
        self.slot = slot
        self.owner = owner
    }

    var url: URL? { bound?.request?.url }

    /// The load that began last, while it runs.
    var task: ImageTask? {
        guard let load = running[state.generation], load.outcome == nil else { return nil }
        return load.relay?.task
    }

    /// The progress of the load that began last, delivered or not.
    var progress: LoadProgress { running[state.generation]?.relay?.progress ?? deliveredProgress }

    /// Loads a request. An image in memory is shown before this returns, without a placeholder.
    func set(_ load: TargetLoad, _ request: ImageRequest) -> ImageTask {
        let generation = bind(load)
        var demanded = request
        // The slot shows the placeholder itself.
        if demanded.placeholder != nil { demanded.placeholder = nil }
        if let owner, !owner.isOnScreen { demanded.priority = .low }
        let task = load.manager.load(demanded)
        if let response = task.responseFromMemory {
            deliveredProgress = .none
            take(.finished(.success(response)), generation)
            return task
        }
        // A load that ends by now is delivered in a later turn too: the completion runs inside the call for memory hits
        // only.
        let deliversProgress = load.progress != nil || owner?.deliversProgress == true
        let relay = LoadRelay(task, deliversProgress: deliversProgress) { [weak self] in self?.take($0, generation) }
        running[generation]?.relay = relay
        run(state.wait())
        relay.begin()
        owner?.loadsDidChange?()
        return task
    }

    /// Clears the slot for a URL that is `nil`, and ends with an error.
    func showNoURL(_ load: TargetLoad) {
        let generation = bind(load)
        run(state.wait(isLoading: false))
        take(.finished(.failure(.invalidURL("There is no URL to load."))), generation)
    }

    private func bind(_ load: TargetLoad) -> Int {
        run(state.begin(load.plan))
        bound = load
        // The caller's closures are released when the load ends.
        bound?.completion = nil
        bound?.progress = nil
        bound?.setter = nil
        // The image is shown by the setter, which a larger target does not call again.
        if load.setter != nil { bound?.takesTargetSize = false }
        running[state.generation] = Running(load: load)
        return state.generation
    }

    func cancel() { run(state.cancel()) }

    /// Cancels the loads, and forgets the image: a larger target does not load it again.
    ///
    /// - Parameter finishes: Whether loads whose request is sent already continue as prefetches: another request would
    ///   cost more than the rest of the response.
    func forget(finishes: Bool = false) {
        if finishes { for load in running.values { load.relay?.release() } }
        cancel()
        bound = nil
    }

    /// Loads the image again if the target needs more pixels.
    func sizeDidChange() {
        guard bound?.takesTargetSize == true, case .pixels(let old, _) = bound?.request?.targetSize,
            let size = owner?.target?.targetSize(in: slot), case .pixels(let new, _) = size,
            new.width > old.width || new.height > old.height
        else { return }
        bound?.request?.targetSize = size
        run(state.grow())
    }

    /// Delivers progress as it comes from now on.
    func deliverProgress() {
        for load in running.values where load.outcome == nil { load.relay?.deliverProgress() }
    }

    func priorityDidChange(isOnScreen: Bool) {
        for load in running.values where load.outcome == nil {
            load.relay?.task.priority = isOnScreen ? load.load.request?.priority ?? .normal : .low
        }
    }

    private func take(_ event: LoadEvent, _ generation: Int) {
        guard owner?.target != nil else {
            owner?.abandon()
            return
        }
        switch event {
        case .progress(let progress):
            run(state.progress(progress, generation))
        case .preview(let response):
            run(state.preview(response.image, isPlaceholder: response.image.metadata.isPlaceholder, generation))
        case .cached(let response):
            run(state.cached(response.image, generation))
        case .finished(let outcome):
            end(outcome, generation)
        }
    }

    private func end(_ outcome: Result<ImageResponse, ImageError>, _ generation: Int) {
        guard let (load, relay) = running[generation].map({ ($0.load, $0.relay) }) else { return }
        if generation == state.generation, deliveredProgress == .none {
            // A load without progress is complete all the same.
            deliveredProgress = LoadProgress(received: 1, expected: 1)
        }
        switch outcome {
        case .success(var response):
            if let request = load.request { response.request = request }
            running[generation]?.outcome = .success(response)
            if generation == state.generation { sampling = response.image.metadata.sampling }
            run(state.succeed(with: response.image, animates: animates(load, response.source), generation))
        case .failure(let error):
            running[generation]?.outcome = outcome
            run(state.fail(isCancelled: error.code == .cancelled, generation))
        }
        // A memory hit has no relay.
        if relay != nil { owner?.loadsDidChange?() }
    }

    private func animates(_ load: TargetLoad, _ source: ImageSource) -> Bool {
        guard load.setter == nil, let transition = owner?.transition else { return false }
        return transition.runs(for: source, isForced: load.options.contains(.forceTransition))
    }

    private func run(_ actions: [SlotAction<DecodedImage>]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: SlotAction<DecodedImage>) {
        switch action {
        case .cancel(let generation): cancel(generation)
        case .showPlaceholder(let kind, let generation): showPlaceholder(kind, generation)
        case .show(let image, let generation): show(image, generation)
        case .animate(let image, let generation, let completes): animate(image, generation, completes: completes)
        case .resetProgress(let generation): if generation == state.generation { deliveredProgress = .none }
        // An earlier action may have set the slot again.
        case .startIndicator: if state.isSpinning { owner?.startIndicator(for: slot) }
        case .stopIndicator: owner?.stopIndicator(for: slot)
        case .report(let progress, let generation): report(progress, generation)
        case .complete(let generation): complete(generation)
        case .enlarge: enlarge()
        }
    }

    private func cancel(_ generation: Int) {
        guard let load = running.removeValue(forKey: generation) else { return }
        load.relay?.cancel()
        owner?.loadsDidChange?()
        guard let completion = load.load.completion else { return }
        // Not inside the call that supersedes it: the completion may set the target again.
        Task { @MainActor [weak owner] in
            if owner?.target != nil { completion(.failure(.cancelled)) }
        }
    }

    private func report(_ progress: LoadProgress, _ generation: Int) {
        if generation == state.generation {
            deliveredProgress = progress
            owner?.updateIndicator(for: slot, progress)
        }
        running[generation]?.load.progress?(progress)
    }

    private func complete(_ generation: Int) {
        guard let load = running.removeValue(forKey: generation), let outcome = load.outcome else { return }
        load.load.completion?(outcome)
    }

    private func show(_ image: DecodedImage?, _ generation: Int) {
        guard state.mayShow(generation) else { return }
        show(image, running[generation]?.load.setter)
    }

    private func show(_ image: DecodedImage?, _ setter: ImageSetter?) {
        if let setter { setter(image) } else { owner?.target?.show(image, in: slot) }
    }

    private func animate(_ image: DecodedImage, _ generation: Int, completes: Bool) {
        guard state.mayShow(generation), let target = owner?.target, let transition = owner?.transition else {
            if completes { complete(generation) }
            return
        }
        let finish: @MainActor () -> Void = { [weak self] in
            if completes { self?.complete(generation) }
        }
        if case .custom(let body) = transition.kind {
            body(
                ImageTransition.Step(
                    target: target, image: image, slot: slot, finish: finish,
                    check: { [weak self] in self?.state.generation == generation }))
        } else {
            target.show(image, in: slot, with: transition, finish: finish)
        }
    }

    private func enlarge() {
        guard var load = bound, let request = load.request else { return }
        guard sampling?.answers(request.targetSize, .atLeast) != true else { return }
        load.isEnlargement = true
        _ = set(load, request)
    }

    private func showPlaceholder(_ kind: PlaceholderKind, _ generation: Int) {
        guard let load = running[generation]?.load else { return }
        switch load.placeholder(kind).flatMap({ load.manager.image(of: $0, for: load.request) }) {
        case .ready(let image):
            show(image, generation)
        case nil:
            show(nil, generation)
        case .work(let make):
            // What is shown is another load's: clear it at once.
            show(nil, generation)
            Task { @MainActor [weak self, setter = load.setter] in
                let image: DecodedImage? = try? await WorkerPool.pixels.run(make)
                guard let image, let self, state.awaits(kind, generation) else { return }
                show(image, setter)
            }
        }
    }
}

extension LoadProgress {
    /// 0 of an unknown number.
    static let none = LoadProgress(received: 0, expected: nil)
}
