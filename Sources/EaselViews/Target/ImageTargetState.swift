import EaselCore

/// The loads of one target, slot by slot. It does not retain the target, and its deinit cancels the loads.
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
    /// Whether it may outlive its target, as in a table; that is noticed at the next event of a load.
    var outlivesTarget = false
    /// Called when a load has begun or ended. An image from memory is not a load.
    package var loadsDidChange: (@MainActor () -> Void)?

    /// Creates the state of a target without loads.
    public nonisolated init() {}

    func connect(to target: any ImageTarget) {
        if self.target !== target { self.target = target }
    }

    func slot(_ slot: ImageSlot) -> TargetSlot? { slots[slot] }

    /// Returns a slot for a new load, and creates it if there is none.
    func bindSlot(_ slot: ImageSlot) -> TargetSlot {
        let found = slots[slot] ?? TargetSlot(slot, of: self)
        slots[slot] = found
        latest = found
        return found
    }

    func cancelAll() {
        for slot in slots.values { slot.cancel() }
        setFrames(nil)
    }

    /// Drops all loads of a released target, without any callback.
    func abandon() {
        slots = [:]
        latest = nil
        frames = nil
    }

    /// Whether a slot's load is in flight.
    package var isLoading: Bool { slots.values.contains { $0.task != nil } }

    /// Cancels the loads, and forgets the images: a larger target does not load them again.
    ///
    /// - Parameter finishes: Whether loads whose request is sent already continue as prefetches for the caches.
    package func forgetImages(finishes: Bool) {
        for slot in slots.values { slot.forget(finishes: finishes) }
        setFrames(nil)
    }

    /// Cancels the loads of one slot, and forgets its image.
    package func forgetImage(in slot: ImageSlot) { slots[slot]?.forget() }

    func setFrames(_ new: FrameLoads?) {
        let old = frames
        frames = new
        old?.cancel()
    }

    func sizeDidChange() {
        for slot in slots.values { slot.sizeDidChange() }
    }

    func setOnScreen(_ isOnScreen: Bool) {
        guard isOnScreen != self.isOnScreen else { return }
        self.isOnScreen = isOnScreen
        for slot in slots.values { slot.priorityDidChange(isOnScreen: isOnScreen) }
        frames?.priorityDidChange(isOnScreen: isOnScreen)
    }

    /// Whether progress is delivered as it comes, and not only read on demand.
    var deliversProgress: Bool { indicator != nil || outlivesTarget }

    func setIndicator(_ new: (any LoadIndicator)?) {
        let old = indicator
        guard old !== new else { return }
        if !spinning.isEmpty { old?.stop() }
        indicator = new
        target?.replaceIndicator(old, with: new)
        guard let new else { return }
        if !spinning.isEmpty { new.start() }
        for slot in slots.values { slot.deliverProgress() }
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

/// The states of targets without a property for one. It retains no target, and a new object at an old one's address
/// never gets the old one's state.
@MainActor
final class TargetRegistry {
    static let shared = TargetRegistry()

    private struct Entry {
        weak var target: (any ImageTarget)?
        let state: ImageTargetState
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var callsUntilCleaning = 16

    /// Targets with a state here, and dead ones until the next cleaning.
    var count: Int { entries.count }

    func state(of target: any ImageTarget) -> ImageTargetState {
        // Once in as many calls as there are targets, so that a call takes constant time on average.
        callsUntilCleaning -= 1
        if callsUntilCleaning <= 0 { clean() }
        let id = ObjectIdentifier(target)
        if let entry = entries[id], entry.target === target { return entry.state }
        let state = ImageTargetState()
        state.outlivesTarget = true
        entries[id] = Entry(target: target, state: state)
        return state
    }

    /// Removes the states of released targets, which cancels their loads.
    func clean() {
        entries = entries.filter { $0.value.target != nil }
        callsUntilCleaning = max(16, entries.count)
    }
}
