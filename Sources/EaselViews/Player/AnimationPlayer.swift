public import EaselCore

/// A player of an animation, which calls back with each frame to draw at its time.
///
/// It never blocks: if a frame is not decoded in time the old one stays, and playback continues from there. If the main
/// thread was busy, the player skips the frames whose time has passed.
///
/// ```swift
/// let player = AnimationPlayer(animation) { frame in draw(frame.pixels) }
/// player.play()
/// ```
@MainActor
public final class AnimationPlayer {
    /// A frame to draw.
    public struct Frame: Sendable {
        /// The whole image.
        public var pixels: PixelBuffer
        /// The number, counted from 0.
        public var index: Int
        /// The number of ended loops.
        public var loop: Int
    }

    /// The animation.
    package private(set) var animation: Animation
    /// Called with each frame to draw.
    package var onFrame: @MainActor (Frame) -> Void
    /// Called after each loop with the number of ended loops.
    public var onLoop: (@MainActor (Int) -> Void)?
    /// Called after the last loop. The last frame stays on screen.
    public var onFinish: (@MainActor () -> Void)?

    private let store: FrameStore
    private let ticker: AnimationTicker
    private var subscription: FrameSubscription?
    private var tick: AnimationTick?
    private var state: PlayerState
    private var demand = FrameDemand()

    /// Creates a player before the first frame.
    ///
    /// - Parameter onFrame: draws a frame. Called within `play()` if the first frame is decoded.
    public convenience init(_ animation: Animation, onFrame: @escaping @MainActor (Frame) -> Void) {
        self.init(animation, frameStore: .shared, onFrame: onFrame)
    }

    package init(
        _ animation: Animation, frameStore: FrameStore = .shared, ticker: AnimationTicker = .shared,
        onFrame: @escaping @MainActor (Frame) -> Void
    ) {
        self.animation = animation
        self.onFrame = onFrame
        store = frameStore
        self.ticker = ticker
        state = PlayerState(
            durations: animation.durations, loopCount: animation.loopCount, isOpenEnded: animation.isArriving,
            alignsToGrid: ticker.interval > .zero)
        tick = ticker.makeTick { [weak self] in self?.wake() }
    }

    // MARK: - Playback

    /// Plays from where `pause()` left it; after the end, or `stop()`, from the start.
    public func play() { change { $0.play(at: $1, $2) } }

    /// Pauses on the frame on screen.
    public func pause() { change { $0.pause(at: $1, $2) } }

    /// Pauses and rewinds, with no loop played. The frame on screen stays.
    public func stop() {
        change { state, _, _ in
            state.stop()
            return []
        }
    }

    /// Shows another frame as soon as it is decoded. Playback continues from it.
    ///
    /// - Parameters:
    ///   - frame: counted from 0, clamped to the last frame.
    ///   - loop: the number of loops that count as played; by default unchanged.
    public func seek(toFrame frame: Int, loop: Int? = nil) {
        change { $0.seek(toFrame: frame, loop: loop, at: $1, $2) }
    }

    /// Continues with a longer part of the same file, for files that play while they arrive. A player of an animation
    /// that `isArriving` waits for this call at its last frame.
    public func replace(_ animation: Animation) {
        guard animation !== self.animation else { return }
        self.animation = animation
        let old = subscription
        demand = FrameDemand()
        subscription = old.map { subscribe(after: $0) }
        change { state, now, isAvailable in
            state.setLoopLimit(self.loopCount, at: now, isAvailable)
                + state.replace(
                    durations: animation.durations, isOpenEnded: animation.isArriving, at: now, isAvailable)
        }
        withExtendedLifetime(old) {}
    }

    private var loopCount: Int { loopLimit ?? animation.loopCount }

    // MARK: - Settings

    /// The order of frames; after a change playback continues from the frame on screen.
    public var playback: PlaybackMode {
        get { state.mode }
        set { change { $0.setMode(newValue, at: $1, $2) } }
    }

    /// The speed: 2 is twice as fast, 0 or less stops time. At most 64.
    public var rate: Double {
        get { state.rate }
        set { change { $0.setRate(newValue, at: $1, $2) } }
    }

    /// The number of loops; 0 means forever. By default `nil`: the number of the file.
    public var loopLimit: Int? {
        didSet { change { $0.setLoopLimit(self.loopCount, at: $1, $2) } }
    }

    /// Whether the animation is visible. While it is not, time stops: no timer runs, and nothing is decoded.
    public var isVisible: Bool {
        get { state.isVisible }
        set { change { $0.setVisible(newValue, at: $1, $2) } }
    }

    // MARK: - Position

    /// The number of the frame on screen.
    public var currentFrame: Int { state.currentFrame }
    /// The number of ended loops.
    package var currentLoop: Int { state.cursor.loop }
    /// Whether the animation plays, visible or not.
    public var isPlaying: Bool { state.isPlaying }
    /// Whether the last loop has ended.
    package var isFinished: Bool { state.isFinished }

    // MARK: - Work

    private func wake() { change { $0.tick(at: $1, $2) } }

    /// Changes the state, updates demand and timer, and then calls back, because callbacks may change the state again.
    private func change(
        _ change: (inout PlayerState, _ now: Duration, PlayerState.IsAvailable) -> [PlayerState.Action]
    ) {
        var actions = change(&state, ticker.now, isAvailable)
        if state.demand != demand {
            demand = state.demand
            if subscription == nil, !demand.upcoming.isEmpty {
                subscription = subscribe()
                // The frames of the animation itself are available now.
                actions += state.tick(at: ticker.now, isAvailable)
                demand = state.demand
            }
            subscription?.demand(demand)
        }
        tick?.due = state.due
        for action in actions {
            switch action {
            case .show(let index):
                // A callback may have shown another frame. A damaged frame has no pixels: the previous one stays for
                // its time.
                guard index == state.shown, let pixels = subscription?.frame(index) else { continue }
                onFrame(Frame(pixels: pixels, index: index, loop: state.cursor.loop))
            case .loopEnded(let count): onLoop?(count)
            case .finished: onFinish?()
            }
        }
    }

    private func isAvailable(_ frame: Int) -> Bool { subscription?.isSettled(frame) ?? false }

    private func subscribe(after old: FrameSubscription? = nil) -> FrameSubscription {
        store.join(animation, after: old) { [weak self] in
            Task { @MainActor in self?.wake() }
        }
    }
}
