package import EaselCore
import Synchronization

/// The decoded frames of all playing animations: one budget for all, and each frame once, however many players show it.
///
/// If all frames fit, each is decoded once. Otherwise the next frames are decoded ahead, and the frames shown last are
/// evicted first. Under memory pressure only the frames on screen and next are kept.
package final class FrameStore: Sendable {
    package static let shared = FrameStore()

    private enum StoredFrame {
        case pixels(PixelBuffer)
        case indexed(IndexedPixels)

        init(_ pixels: PixelBuffer) { self = IndexedPixels(pixels).map { .indexed($0) } ?? .pixels(pixels) }

        var byteCount: Int {
            switch self {
            case .pixels(let pixels): pixels.byteCount
            case .indexed(let pixels): pixels.byteCount
            }
        }
    }

    private struct AnimationEntry {
        let reader: AnimationReader
        var frames: [Int: StoredFrame]
        /// The last indexed frame that was expanded, while a player shows it.
        var expanded: (frame: Int, pixels: @Sendable () -> PixelBuffer?)?
        var task: Task<Void, Never>?
    }

    private struct State {
        var core: FrameStoreState
        var animations: [FrameStoreState.AnimationID: AnimationEntry] = [:]
        var numbers: [ObjectIdentifier: FrameStoreState.AnimationID] = [:]
        var players: [FrameStoreState.PlayerID: @Sendable () -> Void] = [:]
        /// Exists while there are animations. Released outside the lock, because its deinit calls out.
        var observation: MemoryPressureObservation?
        var nextNumber = 0

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }
    }

    private let state: Mutex<State>
    private let monitor: MemoryPressureMonitor

    /// - Parameter limit: the bytes of all frames, by default `Animation.automaticLimit`. A player that waits for a frame may
    ///   exceed it.
    package init(limit: ByteCount? = nil, monitor: MemoryPressureMonitor = .system) {
        state = Mutex(State(core: FrameStoreState(limit: (limit ?? Animation.automaticLimit).bytes)))
        self.monitor = monitor
    }

    var byteCount: Int { state.withLock { $0.core.byteCount } }
    var animationCount: Int { state.withLock { $0.animations.count } }

    // MARK: - Players

    /// Adds a player of `animation` until its subscription is released.
    ///
    /// - Parameters:
    ///   - old: the player's subscription to the beginning of the same file, whose decoded frames are reused.
    ///   - onFrame: called on any thread when a frame that the player waits for is available.
    func join(
        _ animation: Animation, after old: FrameSubscription? = nil, onFrame: @escaping @Sendable () -> Void
    ) -> FrameSubscription {
        let owned = animation.keptFrames.mapValues { StoredFrame.pixels($0) }
        let inherits = old?.source.isBeginning(of: animation) ?? false
        let (player, id, isNew) = state.withLock { state in
            let player = state.number()
            let key = ObjectIdentifier(animation)
            let known = state.numbers[key]
            let id = known ?? state.number()
            state.numbers[key] = id
            state.players[player] = onFrame
            if known == nil { state.animations[id] = AnimationEntry(reader: animation.reader, frames: [:]) }
            state.animations[id]?.frames.merge(owned) { $1 }
            state.core.join(
                player, id, frameCount: animation.frameCount, frameByteCount: animation.frameByteCount,
                owned: owned.keys)
            if inherits, let old {
                let frames = state.animations[old.animation]?.frames ?? [:]
                state.core.share(from: old.animation, with: id)
                state.animations[id]?.frames.merge(frames) { existing, _ in existing }
            }
            return (player, id, known == nil)
        }
        observePressure()
        if isNew {
            animation.observeEnd { [weak self, key = ObjectIdentifier(animation)] in self?.forget(id, key) }
        }
        return FrameSubscription(store: self, player: player, animation: id, source: animation)
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
            let stored = state.animations[animation]
            return (stored?.frames[index], stored?.expanded?.frame == index ? stored?.expanded?.pixels : nil)
        }
        switch frame {
        case nil: return nil
        case .pixels(let pixels): return pixels
        case .indexed(let indexed):
            // Shared by all players of the animation.
            if let pixels = expanded?() { return pixels }
            guard let pixels = indexed.expand() else { return nil }
            var other = pixels
            let reference = other.weakReference()
            state.withLock { $0.animations[animation]?.expanded = reference.map { (index, $0) } }
            return pixels
        }
    }

    /// Returns whether a frame is decoded or damaged, so that a player need not wait for it.
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
        let (stored, observation) = state.withLock { state in
            let stored = state.animations.removeValue(forKey: animation)
            return (stored, state.animations.isEmpty ? state.observation.take() : nil)
        }
        stored?.task?.cancel()
        withExtendedLifetime(observation) {}
    }

    /// Starts to observe memory pressure, when the store has an animation: without one there is nothing to release.
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

    private func update(_ change: (inout State) -> [FrameStoreState.Action]) {
        let effects = state.withLock { state in change(&state).compactMap { effect(of: $0, &state) } }
        for effect in effects { effect() }
    }

    /// Returns the part of an action that calls out or releases memory, which happens outside the lock.
    private func effect(of action: FrameStoreState.Action, _ state: inout State) -> (@Sendable () -> Void)? {
        switch action {
        case .decode(let id, let frame):
            // Inside the lock, so that a cancellation finds the task, which is only enqueued.
            if let reader = state.animations[id]?.reader {
                state.animations[id]?.task = decode(frame, of: id, reader)
            }
            return nil
        case .cancel(let id):
            let task = state.animations[id]?.task
            return { task?.cancel() }
        case .drop(let id, let frames):
            let dropped = frames.compactMap { state.animations[id]?.frames.removeValue(forKey: $0) }
            return { _ = dropped }
        case .close(let id):
            guard let reader = state.animations[id]?.reader else { return nil }
            return { Task(executorPreference: WorkerPool.pixels) { reader.close() } }
        case .notify(let players):
            let callbacks = players.compactMap { state.players[$0] }
            return { for notify in callbacks { notify() } }
        }
    }

    private func decode(
        _ frame: Int, of id: FrameStoreState.AnimationID, _ reader: AnimationReader
    ) -> Task<Void, Never> {
        // Precedes encodes, which nothing on screen waits for.
        Task(executorPreference: WorkerPool.pixels, priority: .high) { [weak self] in
            let outcome: FrameStoreState.Outcome
            var stored: StoredFrame?
            do throws(ImageError) {
                let decoded = StoredFrame(try reader.frame(frame) { Task.isCancelled }.pixels)
                stored = decoded
                outcome = .decoded(byteCount: decoded.byteCount)
            } catch {
                outcome = error.code == .cancelled ? .cancelled : .failed
            }
            self?.endDecode(id, frame, outcome, stored)
        }
    }

    private func endDecode(
        _ id: FrameStoreState.AnimationID, _ frame: Int, _ outcome: FrameStoreState.Outcome, _ stored: StoredFrame?
    ) {
        update { state in
            if let stored { state.animations[id]?.frames[frame] = stored }
            return state.core.endDecode(id, frame: frame, outcome)
        }
    }
}

/// A player's registration in a `FrameStore`. It ends when this object is deallocated.
final class FrameSubscription: Sendable {
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
