import EaselCore

/// The state of an `AnimationPlayer`.
///
/// A pure value that takes events, their times and the available frames, and returns actions. It needs a call of `tick`
/// at `due` and the frames of `demand`.
struct PlayerState {
    enum Action: Equatable {
        /// Draw this frame.
        case show(Int)
        /// This many loops have ended.
        case loopEnded(Int)
        /// All loops have ended; the last frame stays.
        case finished
    }

    /// Whether a frame is available.
    typealias IsAvailable = (_ frame: Int) -> Bool

    struct Cursor: Equatable {
        /// The position in a loop.
        var position = 0
        /// The number of ended loops.
        var loop = 0
    }

    /// The successor of a position.
    private enum Step {
        case next(Cursor)
        /// All loops have ended.
        case end
        /// The file is arriving and has no more frames yet.
        case open
    }

    private(set) var durations: [Duration]
    private(set) var isOpenEnded: Bool
    private(set) var mode = PlaybackMode.normal
    private(set) var rate = 1.0
    private(set) var isPlaying = false
    private(set) var isVisible = true
    private(set) var isFinished = false
    /// How often it is played; 0 means forever.
    private(set) var loopLimit: Int
    /// The position that is shown, or begins next.
    private(set) var cursor = Cursor()
    /// The frame on screen.
    private(set) var shown: Int?
    /// When to call `tick`; `nil` for never.
    private(set) var due: Duration?

    /// The position to show, if its frame is not available or the player is paused.
    private var awaited: Cursor? = Cursor()
    /// Whether to show it even while paused.
    private var isSeeking = false
    /// Whether the last frame of an arriving file has been shown for its time.
    private var isStalled = false
    /// The remaining time of the frame on screen, at a rate of 1, while no time passes.
    private var left = Duration.zero

    /// A player that is late by no more than this skips the missed frames. One that is later, after sleep or a
    /// debugger, continues where it was.
    static let longestCatchUp = Duration.seconds(1)
    /// The number of frames demanded ahead.
    static let lookahead = 8
    static let highestRate = 64.0

    /// Whether playback starts on a grid of frame times, so that players of the same pace wake together. This lengthens
    /// or shortens the first frame after a pause by up to half of its duration, at most 50 ms.
    private let alignsToGrid: Bool

    init(durations: [Duration], loopCount: Int, isOpenEnded: Bool = false, alignsToGrid: Bool = false) {
        self.durations = durations
        self.alignsToGrid = alignsToGrid
        self.isOpenEnded = isOpenEnded
        loopLimit = loopCount
    }

    /// The frame on screen, or the first that will be.
    var currentFrame: Int { shown ?? cycle.frame(at: cursor.position) }

    /// The end of an arriving file is unknown: all modes play forward.
    private var cycle: PlaybackCycle {
        PlaybackCycle(frameCount: durations.count, mode: isOpenEnded ? .normal : mode)
    }

    private var isRunning: Bool {
        isPlaying && isVisible && rate > 0 && (durations.count > 1 || isOpenEnded)
    }

    // MARK: - Events

    mutating func play(at now: Duration, _ isAvailable: IsAvailable) -> [Action] {
        if isFinished { rewind() }
        isPlaying = true
        return settle(now, isAvailable)
    }

    mutating func pause(at now: Duration, _ isAvailable: IsAvailable) -> [Action] {
        isPlaying = false
        return settle(now, isAvailable)
    }

    /// Pauses and rewinds. The frame on screen stays.
    mutating func stop() {
        isPlaying = false
        due = nil
        rewind()
    }

    /// Shows another frame as soon as it is available; playback continues from it.
    mutating func seek(toFrame frame: Int, loop: Int? = nil, at now: Duration, _ isAvailable: IsAvailable) -> [Action] {
        let frame = min(max(frame, 0), durations.count - 1)
        cursor = Cursor(position: cycle.position(of: frame), loop: max(0, loop ?? cursor.loop))
        awaited = cursor
        isSeeking = true
        isFinished = false
        isStalled = false
        due = nil
        return settle(now, isAvailable)
    }

    mutating func setRate(_ rate: Double, at now: Duration, _ isAvailable: IsAvailable) -> [Action] {
        halt(now)
        self.rate = rate > 0 ? min(rate, Self.highestRate) : 0
        return settle(now, isAvailable)
    }

    mutating func setMode(_ mode: PlaybackMode, at now: Duration, _ isAvailable: IsAvailable) -> [Action] {
        changeCycle { $0.mode = mode }
        return settle(now, isAvailable)
    }

    mutating func setLoopLimit(_ limit: Int, at now: Duration, _ isAvailable: IsAvailable) -> [Action] {
        loopLimit = max(0, limit)
        return settle(now, isAvailable)
    }

    /// Sets whether the view is visible. Time passes only while it is.
    mutating func setVisible(_ isVisible: Bool, at now: Duration, _ isAvailable: IsAvailable) -> [Action] {
        self.isVisible = isVisible
        return settle(now, isAvailable)
    }

    /// Continues with more of the file from the frame on screen.
    mutating func replace(
        durations: [Duration], isOpenEnded: Bool, at now: Duration, _ isAvailable: IsAvailable
    ) -> [Action] {
        changeCycle { ($0.durations, $0.isOpenEnded) = (durations, isOpenEnded) }
        guard isStalled else { return settle(now, isAvailable) }
        var actions: [Action] = []
        switch step(from: cursor) {
        case .next(let next): awaited = next
        case .end: finish(nil, &actions)
        case .open: return []
        }
        isStalled = false
        return actions + settle(now, isAvailable)
    }

    /// Advances at `due`, or when frames become available.
    mutating func tick(at now: Duration, _ isAvailable: IsAvailable) -> [Action] {
        var actions: [Action] = []
        if isRunning, let due, due <= now {
            advance(from: now - due > Self.longestCatchUp ? now : due, to: now, isAvailable, &actions)
        }
        return actions + settle(now, isAvailable)
    }

    // MARK: - Needs

    var demand: FrameDemand {
        var demand = FrameDemand(current: shown, isForward: !mode.startsAtEnd || isOpenEnded)
        guard canShow else { return demand }
        demand.isWaiting = awaited != nil
        var next = awaited ?? findSuccessor(of: cursor)
        // Repeated frames of a short animation or a bounce do not count.
        for _ in 0..<(2 * Self.lookahead) {
            guard let cursor = next, demand.upcoming.count < Self.lookahead else { break }
            let frame = cycle.frame(at: cursor.position)
            if !demand.upcoming.contains(frame) { demand.upcoming.append(frame) }
            // A seek while paused needs one frame.
            next = isRunning ? findSuccessor(of: cursor) : nil
        }
        if mode.bounces, demand.upcoming.count > 1 { demand.isForward = demand.upcoming[0] < demand.upcoming[1] }
        return demand
    }

    private var canShow: Bool { isVisible && (isRunning || awaited != nil && (isSeeking || isPlaying && rate > 0)) }

    // MARK: - Time

    /// Shows an awaited frame that is available, and updates `due`.
    private mutating func settle(_ now: Duration, _ isAvailable: IsAvailable) -> [Action] {
        if !isRunning { halt(now) }
        var actions: [Action] = []
        if let next = awaited, canShow, isAvailable(cycle.frame(at: next.position)) {
            enter(next, &actions)
            left = durations[currentFrame]
        }
        if isRunning, awaited == nil, due == nil, !isStalled { due = start(now) + left / rate }
        return actions
    }

    /// Returns the start time of the frame on screen.
    private func start(_ now: Duration) -> Duration {
        let step = min(left / rate, .milliseconds(100))
        guard alignsToGrid, step > .zero, left == durations[currentFrame] else { return now }
        return step * (now / step).rounded()
    }

    private mutating func halt(_ now: Duration) {
        guard let due else { return }
        left = max(.zero, (due - now) * rate)
        self.due = nil
    }

    /// Advances to the latest available frame of the elapsed time, skipping those before it. If none is available the
    /// old one stays, and time stops until the next one is.
    private mutating func advance(
        from start: Duration, to now: Duration, _ isAvailable: IsAvailable, _ actions: inout [Action]
    ) {
        var time = start
        var (first, last) = (nil as Cursor?, cursor)
        var best: Cursor?
        due = nil
        left = .zero
        while time <= now {
            switch step(from: last) {
            case .next(let next):
                first = first ?? next
                last = next
                let frame = cycle.frame(at: next.position)
                if isAvailable(frame) { best = next }
                time += durations[frame] / rate
                continue
            case .end:
                if best == last || first == nil { return finish(best, &actions) }
            case .open:
                isStalled = best == last || first == nil
            }
            break
        }
        guard let best else {
            if first != nil { awaited = first }
            return
        }
        enter(best, &actions)
        left = durations[currentFrame]
        if best == last, !isStalled { due = time }
    }

    private mutating func enter(_ next: Cursor, _ actions: inout [Action]) {
        if next.loop > cursor.loop { actions.append(.loopEnded(next.loop)) }
        cursor = next
        awaited = nil
        isSeeking = false
        let frame = cycle.frame(at: next.position)
        shown = frame
        actions.append(.show(frame))
    }

    private mutating func finish(_ last: Cursor?, _ actions: inout [Action]) {
        if let last { enter(last, &actions) }
        cursor.loop += 1
        isPlaying = false
        isFinished = true
        actions += [.loopEnded(cursor.loop), .finished]
    }

    private mutating func rewind() {
        cursor = Cursor()
        awaited = cursor
        isSeeking = false
        isFinished = false
        isStalled = false
        left = .zero
    }

    /// Changes the cycle but not the current frames. Playback that has not begun begins at the new start.
    private mutating func changeCycle(_ change: (inout PlayerState) -> Void) {
        let begins = awaited == Cursor() && !isSeeking
        let frame = cycle.frame(at: cursor.position)
        let next = awaited.map { cycle.frame(at: $0.position) }
        change(&self)
        guard !begins else { return }
        cursor.position = cycle.position(of: min(frame, durations.count - 1))
        let position = next.map { cycle.position(of: min($0, durations.count - 1)) }
        if let position { awaited?.position = position }
    }

    // MARK: - Order

    private func findSuccessor(of cursor: Cursor) -> Cursor? {
        if case .next(let next) = step(from: cursor) { next } else { nil }
    }

    private func step(from cursor: Cursor) -> Step {
        let isLast = loopLimit > 0 && cursor.loop + 1 >= loopLimit
        if cursor.position + 1 < (isLast ? cycle.closedLength : cycle.length) {
            return .next(Cursor(position: cursor.position + 1, loop: cursor.loop))
        }
        if isOpenEnded { return .open }
        return isLast ? .end : .next(Cursor(position: 0, loop: cursor.loop + 1))
    }
}

/// The order of frames.
public enum PlaybackMode: Sendable, Hashable, CaseIterable {
    /// From the first to the last.
    case normal
    /// From the last to the first.
    case reverse
    /// To the last and back to the first in one loop.
    case bounce
    /// From the last to the first and back in one loop.
    case reversedBounce

    var bounces: Bool { self == .bounce || self == .reversedBounce }
    var startsAtEnd: Bool { self == .reverse || self == .reversedBounce }
}

/// The frames of one loop in their order.
///
/// A bounce shows each of its two ends once a loop: the end of a loop is the beginning of the next. Only the last loop
/// ends with the frame that it began with, as another position.
private struct PlaybackCycle {
    var frameCount: Int
    var mode: PlaybackMode

    /// The positions of a loop before another one.
    var length: Int { mode.bounces ? max(1, 2 * (frameCount - 1)) : frameCount }

    /// The positions of the last loop.
    var closedLength: Int { mode.bounces && frameCount > 1 ? length + 1 : length }

    func frame(at position: Int) -> Int {
        let forward = position < frameCount ? position : 2 * (frameCount - 1) - position
        return mode.startsAtEnd ? frameCount - 1 - forward : forward
    }

    /// Returns the first position of a frame in a loop.
    func position(of frame: Int) -> Int {
        mode.startsAtEnd ? frameCount - 1 - frame : frame
    }
}
