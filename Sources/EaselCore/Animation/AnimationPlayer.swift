/// Plays an animation: says which frame to draw, and when (X170, B100).
///
/// It never waits: a frame that is not there in time leaves the old one where it is (X171), and playing goes on from there. A
/// player that was late, because the main thread was busy, leaves out the frames whose time has passed.
///
/// ```swift
/// let player = AnimationPlayer(animation) { frame in draw(frame.pixels) }
/// player.play()
/// ```
@MainActor
public final class AnimationPlayer {
    /// A frame to be drawn.
    public struct Frame: Sendable {
        /// The whole picture.
        public var pixels: PixelBuffer
        /// Its number, counted from 0.
        public var index: Int
        /// Loops that are over.
        public var loop: Int
    }

    /// What is played.
    public private(set) var animation: Animation
    /// Called with each frame that is to be drawn.
    public var onFrame: @MainActor (Frame) -> Void
    /// Called after each loop, with how many are over.
    public var onLoop: (@MainActor (Int) -> Void)?
    /// Called after the last loop. The last frame stays on screen (X172).
    public var onFinish: (@MainActor () -> Void)?

    private let store: FrameStore
    private let ticker: AnimationTicker
    private var seat: FrameSeat?
    private var tick: AnimationTick?
    private var state: PlayerState
    private var demand = FrameDemand()

    /// A player that stands before the first frame.
    ///
    /// - Parameters:
    ///   - frameStore: where decoded frames are kept, for all who play the same animation.
    ///   - ticker: what wakes it.
    ///   - onFrame: draws a frame. The first one comes from within `play()` where it is there.
    public init(
        _ animation: Animation, frameStore: FrameStore = .shared, ticker: AnimationTicker = .shared,
        onFrame: @escaping @MainActor (Frame) -> Void
    ) {
        self.animation = animation
        self.onFrame = onFrame
        store = frameStore
        self.ticker = ticker
        state = PlayerState(
            durations: animation.durations, loopCount: animation.loopCount, isOpenEnded: animation.isArriving,
            keepsStep: ticker.interval > .zero)
        tick = ticker.makeTick { [weak self] in self?.wake() }
    }

    // MARK: - What it does

    /// Begins, or goes on where `pause()` has left it; after the end, or `stop()`, from the start.
    public func play() { change { $0.play(at: $1, $2) } }

    /// Stands still on the frame that is shown (X172).
    public func pause() { change { $0.pause(at: $1, $2) } }

    /// Stands still; `play()` then begins at the start, with no loop played (X172). The frame on screen stays.
    public func stop() {
        change { state, _, _ in
            state.stop()
            return []
        }
    }

    /// Shows another frame: at once where it is there, else as soon as it is decoded (X173). Playing goes on from it.
    ///
    /// - Parameters:
    ///   - frame: its number, counted from 0. One that is not there is the nearest that is.
    ///   - loop: how many loops count as played; those that are, unless given.
    public func seek(toFrame frame: Int, loop: Int? = nil) {
        change { $0.seek(toFrame: frame, loop: loop, at: $1, $2) }
    }

    /// Goes on with more of the same file, or with the whole of it, where it was.
    ///
    /// For files that play while they arrive: a player of an animation that is `isArriving` waits at its last frame for this.
    public func replace(_ animation: Animation) {
        guard animation !== self.animation else { return }
        self.animation = animation
        let old = seat
        demand = FrameDemand()
        seat = old.map { takeSeat(after: $0) }
        change { state, now, isThere in
            _ = state.setLoopLimit(self.loopCount, at: now, isThere)
            return state.replace(
                durations: animation.durations, isOpenEnded: animation.isArriving, at: now, isThere)
        }
        withExtendedLifetime(old) {}
    }

    private var loopCount: Int { loopLimit ?? animation.loopCount }

    // MARK: - What it is set to

    /// In which order frames are played; changing it goes on from the frame on screen.
    public var playback: PlaybackMode {
        get { state.mode }
        set { change { $0.setMode(newValue, at: $1, $2) } }
    }

    /// How fast: 2 is twice as fast, 0 and less stand still (X170). At most 64.
    public var rate: Double {
        get { state.rate }
        set { change { $0.setRate(newValue, at: $1, $2) } }
    }

    /// How often it is played; 0 is for ever. `nil`, as at first, leaves that to the file.
    public var loopLimit: Int? {
        didSet { change { $0.setLoopLimit(self.loopCount, at: $1, $2) } }
    }

    /// Whether anybody can see it. While nobody can, time stands still: no timer runs, and nothing is decoded (X175, B100).
    public var isVisible: Bool {
        get { state.isVisible }
        set { change { $0.setVisible(newValue, at: $1, $2) } }
    }

    // MARK: - Where it is

    /// The number of the frame on screen.
    public var currentFrame: Int { state.currentFrame }
    /// Loops that are over.
    public var currentLoop: Int { state.cursor.loop }
    /// Whether it plays, or would if it could be seen.
    public var isPlaying: Bool { state.isPlaying }
    /// Whether the last loop is over.
    public var isFinished: Bool { state.isFinished }

    // MARK: - Work

    private func wake() { change { $0.tick(at: $1, $2) } }

    /// Changes the state, arranges what it then needs, and tells those who listen: last, since they may change it again.
    private func change(
        _ change: (inout PlayerState, _ now: Duration, PlayerState.IsThere) -> [PlayerState.Action]
    ) {
        var actions = change(&state, ticker.now, isThere)
        if state.demand != demand {
            demand = state.demand
            if seat == nil, !demand.upcoming.isEmpty {
                seat = takeSeat()
                // What the animation itself has is there now.
                actions += state.tick(at: ticker.now, isThere)
                demand = state.demand
            }
            seat?.demand(demand)
        }
        tick?.due = state.due
        for action in actions {
            switch action {
            case .show(let index):
                // A damaged one has no pixels: the one before stays for its time.
                guard let pixels = seat?.frame(index) else { continue }
                onFrame(Frame(pixels: pixels, index: index, loop: state.cursor.loop))
            case .loopEnded(let count): onLoop?(count)
            case .finished: onFinish?()
            }
        }
    }

    private func isThere(_ frame: Int) -> Bool { seat?.isSettled(frame) ?? false }

    private func takeSeat(after old: FrameSeat? = nil) -> FrameSeat {
        store.join(animation, after: old) { [weak self] in
            Task { @MainActor in self?.wake() }
        }
    }
}
