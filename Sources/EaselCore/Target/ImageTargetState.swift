/// What a target loads and has loaded, slot by slot. It belongs to one target, which it does not keep alive; when it goes, its
/// loads are cancelled.
///
/// There is nothing to do with it but to keep it: see `ImageTarget.targetState`.
@MainActor
public final class ImageTargetState {
    private(set) weak var target: (any ImageTarget)?
    private var slots: [ImageSlot: TargetSlot] = [:]
    private(set) var latest: TargetSlot?
    private var frames: FrameLoads?
    /// The slots that are loading, the one that began last at the end.
    private var spinning: [ImageSlot] = []
    private(set) var indicator: (any LoadIndicator)?
    var transition: ImageTransition?
    private(set) var isOnScreen = true
    /// Whether the target can go without it: that is found where a load has something to tell.
    var outlivesTarget = false
    /// Called when a load has begun, or is over. What is in memory is no load.
    package var loadsDidChange: (@MainActor () -> Void)?

    /// The state of a target that has not been given anything to load.
    public nonisolated init() {}

    func connect(to target: any ImageTarget) {
        if self.target !== target { self.target = target }
    }

    func slot(_ slot: ImageSlot) -> TargetSlot? { slots[slot] }

    /// The slot, to bind something to it.
    func bindingSlot(_ slot: ImageSlot) -> TargetSlot {
        let found = slots[slot] ?? TargetSlot(slot, of: self)
        slots[slot] = found
        latest = found
        return found
    }

    func cancelAll() {
        for slot in slots.values { slot.cancel() }
        setFrames(nil)
    }

    /// The target is gone: nothing is shown any more, and nobody is called.
    func abandon() {
        slots = [:]
        latest = nil
        frames = nil
    }

    /// Whether a slot's load is under way.
    package var isLoading: Bool { slots.values.contains { $0.task != nil } }

    /// Shows nothing more of what is loaded; what a server has been asked for arrives, for the caches, and as a prefetch. All else is
    /// cancelled.
    package func releaseLoads() {
        for slot in slots.values { slot.release() }
        setFrames(nil)
    }

    func setFrames(_ new: FrameLoads?) {
        let old = frames
        frames = new
        old?.cancel()
    }

    // MARK: - What the target says

    func sizeDidChange() {
        for slot in slots.values { slot.sizeDidChange() }
    }

    func setOnScreen(_ isOnScreen: Bool) {
        guard isOnScreen != self.isOnScreen else { return }
        self.isOnScreen = isOnScreen
        for slot in slots.values { slot.priorityDidChange(isOnScreen: isOnScreen) }
        frames?.priorityDidChange(isOnScreen: isOnScreen)
    }

    // MARK: - The indicator

    /// Whether progress is wanted when it comes, and not only when somebody asks.
    var hearsProgress: Bool { indicator != nil || outlivesTarget }

    func setIndicator(_ new: (any LoadIndicator)?) {
        let old = indicator
        guard old !== new else { return }
        if !spinning.isEmpty { old?.stop() }
        indicator = new
        target?.replaceIndicator(old, with: new)
        guard let new else { return }
        if !spinning.isEmpty { new.start() }
        for slot in slots.values { slot.bringProgress() }
    }

    func startIndicator(for slot: ImageSlot) {
        let isFirst = spinning.isEmpty
        spinning.removeAll { $0 == slot }
        spinning.append(slot)
        if isFirst { indicator?.start() }
    }

    func stopIndicator(for slot: ImageSlot) {
        guard let index = spinning.firstIndex(of: slot) else { return }
        spinning.remove(at: index)
        if spinning.isEmpty { indicator?.stop() }
    }

    func updateIndicator(for slot: ImageSlot, _ progress: LoadProgress) {
        guard spinning.last == slot else { return }
        indicator?.update(fraction: min(max(progress.fraction, 0), 1))
    }
}
