import Synchronization

/// The decoded frames of all animations that play: one budget for all, and each frame once, however many players show it
/// (R018, P012).
///
/// Where all frames of what plays fit, each is decoded once. Where they do not, what comes next is decoded ahead, and what is
/// shown last is given back first. When memory gets short only what is on screen and next is kept.
public final class FrameStore: Sendable {
    /// The store of the whole process.
    public static let shared = FrameStore()

    /// An eighth of the memory that the process may use, at most 256 MB.
    public static var automaticLimit: Int { min(MemoryAllowance.ofProcess.byteCount / 8, .megabytes(256)) }

    /// A decoded frame as it is kept.
    private enum HeldFrame {
        case pixels(PixelBuffer)
        case indexed(IndexedPixels)

        /// In the least memory.
        init(_ pixels: PixelBuffer) { self = IndexedPixels(pixels).map { .indexed($0) } ?? .pixels(pixels) }

        var byteCount: Int {
            switch self {
            case .pixels(let pixels): pixels.byteCount
            case .indexed(let pixels): pixels.byteCount
            }
        }
    }

    private struct Held {
        let reader: AnimationReader
        var frames: [Int: HeldFrame]
        /// What was made of an indexed frame last, for as long as somebody shows it.
        var expanded: (frame: Int, pixels: @Sendable () -> PixelBuffer?)?
        var task: Task<Void, Never>?
    }

    private struct State {
        var core: FrameStoreState
        var animations: [FrameStoreState.AnimationID: Held] = [:]
        var numbers: [ObjectIdentifier: FrameStoreState.AnimationID] = [:]
        var players: [FrameStoreState.PlayerID: @Sendable () -> Void] = [:]
        /// There is one for as long as there are animations. It ends outside the lock, because its end calls out.
        var observation: MemoryPressureObservation?
        var nextNumber = 0

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }
    }

    private let state: Mutex<State>
    private let monitor: MemoryPressureMonitor

    /// A store of its own.
    ///
    /// - Parameters:
    ///   - limit: the bytes that frames may take. A player that waits for a frame gets it in any case.
    ///   - monitor: what tells when memory gets short.
    public init(limit: Int = FrameStore.automaticLimit, monitor: MemoryPressureMonitor = .system) {
        state = Mutex(State(core: FrameStoreState(limit: limit)))
        self.monitor = monitor
    }

    /// The bytes that frames take now. Those that belong to animations themselves do not count.
    public var byteCount: Int { state.withLock { $0.core.byteCount } }

    /// Animations of which something is kept, for tests.
    var animationCount: Int { state.withLock { $0.animations.count } }

    // MARK: - Players

    /// A seat for a player of `animation`: frames for as long as it is kept.
    ///
    /// - Parameters:
    ///   - old: the player's seat at the beginning of the same file: frames that were decoded of it are frames of this.
    ///   - framesCame: called on any thread when a frame that the player waits for has come.
    func join(
        _ animation: Animation, after old: FrameSeat? = nil, framesCame: @escaping @Sendable () -> Void
    ) -> FrameSeat {
        let owned = animation.keptFrames.mapValues { HeldFrame.pixels($0) }
        let inherits = old?.source.isBeginning(of: animation) ?? false
        let (player, id, isNew) = state.withLock { state in
            let player = state.number()
            let key = ObjectIdentifier(animation)
            let known = state.numbers[key]
            let id = known ?? state.number()
            state.numbers[key] = id
            state.players[player] = framesCame
            if known == nil { state.animations[id] = Held(reader: animation.reader, frames: [:]) }
            state.animations[id]?.frames.merge(owned) { $1 }
            state.core.join(
                player, id, frameCount: animation.frameCount, frameByteCount: animation.frameByteCount,
                owned: owned.keys)
            if inherits, let old {
                let frames = state.animations[old.animation]?.frames ?? [:]
                state.core.share(from: old.animation, with: id)
                state.animations[id]?.frames.merge(frames) { own, _ in own }
            }
            return (player, id, known == nil)
        }
        observePressure()
        if isNew {
            animation.observeEnd { [weak self, key = ObjectIdentifier(animation)] in self?.forget(id, key) }
        }
        return FrameSeat(store: self, player: player, animation: id, source: animation)
    }

    func change(_ player: FrameStoreState.PlayerID, _ demand: FrameDemand) {
        update { $0.core.change(player, demand) }
    }

    func leave(_ player: FrameStoreState.PlayerID) {
        update { state in
            state.players[player] = nil
            return state.core.leave(player)
        }
    }

    func frame(_ index: Int, of animation: FrameStoreState.AnimationID) -> PixelBuffer? {
        let (frame, expanded) = state.withLock { state in
            let held = state.animations[animation]
            return (held?.frames[index], held?.expanded?.frame == index ? held?.expanded?.pixels : nil)
        }
        switch frame {
        case nil: return nil
        case .pixels(let pixels): return pixels
        case .indexed(let indexed):
            // All who show the animation share it.
            if let pixels = expanded?() { return pixels }
            guard let pixels = indexed.expanded() else { return nil }
            var other = pixels
            let reference = other.weakReference()
            state.withLock { $0.animations[animation]?.expanded = reference.map { (index, $0) } }
            return pixels
        }
    }

    /// Whether a player need not wait for a frame: it is there, or is damaged and never will be.
    func isSettled(_ index: Int, of animation: FrameStoreState.AnimationID) -> Bool {
        state.withLock {
            $0.animations[animation]?.frames[index] != nil || $0.core.isDamaged(index, of: animation)
        }
    }

    // MARK: - Memory

    private func forget(_ animation: FrameStoreState.AnimationID, _ key: ObjectIdentifier) {
        update { state in
            if state.numbers[key] == animation { state.numbers[key] = nil }
            return state.core.forget(animation)
        }
        let (held, ended) = state.withLock { state in
            let held = state.animations.removeValue(forKey: animation)
            return (held, state.animations.isEmpty ? state.observation.take() : nil)
        }
        held?.task?.cancel()
        withExtendedLifetime(ended) {}
    }

    /// Called when the store has an animation: without one there is nothing to give back.
    private func observePressure() {
        guard state.withLock({ $0.observation == nil }) else { return }
        let new = monitor.observe { [weak self] pressure in
            self?.update { $0.core.trim(toShare: pressure.keptShare) }
        }
        let spare: MemoryPressureObservation? = state.withLock { state in
            guard state.observation == nil, !state.animations.isEmpty else { return new }
            state.observation = new
            return nil
        }
        withExtendedLifetime(spare) {}
    }

    // MARK: - Work

    /// What has to happen outside the lock, because it calls out or gives memory back.
    private enum Effect {
        case cancel(Task<Void, Never>)
        case close(AnimationReader)
        case release([HeldFrame])
        case notify([@Sendable () -> Void])
    }

    private func update(_ change: (inout State) -> [FrameStoreState.Action]) {
        let effects = state.withLock { state in
            change(&state).compactMap { effect(of: $0, &state) }
        }
        for effect in effects { perform(effect) }
    }

    private func effect(of action: FrameStoreState.Action, _ state: inout State) -> Effect? {
        switch action {
        case .decode(let id, let frame):
            // Inside the lock, so that a cancellation finds the task; a new task only queues.
            guard let reader = state.animations[id]?.reader else { return nil }
            state.animations[id]?.task = decode(frame, of: id, reader)
            return nil
        case .cancel(let id):
            return (state.animations[id]?.task).map { .cancel($0) }
        case .drop(let id, let frames):
            return .release(frames.compactMap { state.animations[id]?.frames.removeValue(forKey: $0) })
        case .close(let id):
            return (state.animations[id]?.reader).map { .close($0) }
        case .notify(let players):
            return .notify(players.compactMap { state.players[$0] })
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .cancel(let task): task.cancel()
        case .close(let reader): Task(executorPreference: WorkerPool.pixels) { reader.close() }
        case .release: break
        case .notify(let players): for notify in players { notify() }
        }
    }

    private func decode(
        _ frame: Int, of id: FrameStoreState.AnimationID, _ reader: AnimationReader
    ) -> Task<Void, Never> {
        // Before images that are encoded, which nothing on screen waits for.
        Task(executorPreference: WorkerPool.pixels, priority: .high) { [weak self] in
            let outcome: FrameStoreState.Outcome
            var held: HeldFrame?
            do throws(ImageError) {
                let decoded = HeldFrame(try reader.frame(frame) { Task.isCancelled }.pixels)
                held = decoded
                outcome = .decoded(byteCount: decoded.byteCount)
            } catch {
                outcome = error == .cancelled ? .cancelled : .failed
            }
            self?.ended(id, frame, outcome, held)
        }
    }

    private func ended(
        _ id: FrameStoreState.AnimationID, _ frame: Int, _ outcome: FrameStoreState.Outcome, _ held: HeldFrame?
    ) {
        update { state in
            if let held { state.animations[id]?.frames[frame] = held }
            return state.core.ended(id, frame: frame, outcome)
        }
    }
}

/// A player's place in a `FrameStore`, which it leaves when this goes.
final class FrameSeat: Sendable {
    let animation: FrameStoreState.AnimationID
    let source: Animation
    private let store: FrameStore
    private let player: FrameStoreState.PlayerID

    init(
        store: FrameStore, player: FrameStoreState.PlayerID, animation: FrameStoreState.AnimationID, source: Animation
    ) {
        self.store = store
        self.player = player
        self.animation = animation
        self.source = source
    }

    deinit { store.leave(player) }

    func demand(_ demand: FrameDemand) { store.change(player, demand) }
    func frame(_ index: Int) -> PixelBuffer? { store.frame(index, of: animation) }
    func isSettled(_ index: Int) -> Bool { store.isSettled(index, of: animation) }
}
