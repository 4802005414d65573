/// What a player shows, and when.
///
/// A pure value: it is told what happens, when, and which frames are there, and says what is to be shown. `due` and `demand`
/// are what it needs: a call of `tick` at that time, and frames. Times are those of one clock; `AnimationPlayer` runs it.
struct PlayerState {
    enum Action: Equatable {
        /// Draw this frame.
        case show(Int)
        /// So many loops are over.
        case loopEnded(Int)
        /// All loops are over; the last frame stays (X172).
        case finished
    }

    /// Whether a frame can be shown now.
    typealias IsThere = (_ frame: Int) -> Bool

    /// A place in the course of frames.
    struct Cursor: Equatable {
        var position = 0
        /// Loops that are over.
        var loop = 0
    }

    /// What follows a place.
    private enum Step {
        case next(Cursor)
        /// All loops are over.
        case end
        /// The file is arriving, and has no more frames yet.
        case open
    }

    private(set) var durations: [Duration]
    private(set) var isOpenEnded: Bool
    private(set) var mode = PlaybackMode.normal
    private(set) var rate = 1.0
    private(set) var isPlaying = false
    private(set) var isVisible = true
    private(set) var isFinished = false
    /// How often it is played; 0 is for ever.
    private(set) var loopLimit: Int
    /// What is shown, or begins next.
    private(set) var cursor = Cursor()
    /// The frame on screen.
    private(set) var shown: Int?
    /// When `tick` is to be called; `nil` where time changes nothing.
    private(set) var due: Duration?

    /// What should be on screen and is not, because it is not there, or nobody plays.
    private var awaited: Cursor? = Cursor()
    /// Whether that is to be shown even where nobody plays.
    private var isSeeking = false
    /// Whether the last frame of an arriving file has been shown for its time.
    private var isStalled = false
    /// How long the frame on screen stays, at a rate of 1, while no time passes.
    private var left = Duration.zero

    /// A player that was late for no longer than this goes on as if it had not been, and leaves out what it missed. One that was
    /// stopped for longer, with the machine or under a debugger, goes on where it was.
    static let longestCatchUp = Duration.seconds(1)
    /// Frames that are asked for ahead.
    static let lookahead = 8
    /// Above it nobody sees anything.
    static let highestRate = 64.0

    /// Whether it falls into step with others of the same pace, which are then drawn together: what is shown first after a pause
    /// stays for up to half of its time, and 50 ms, more or less.
    private let keepsStep: Bool
    private static let longestStep = Duration.milliseconds(100)

    init(durations: [Duration], loopCount: Int, isOpenEnded: Bool = false, keepsStep: Bool = false) {
        self.durations = durations
        self.keepsStep = keepsStep
        self.isOpenEnded = isOpenEnded
        loopLimit = loopCount
    }

    /// The frame on screen, or the first that will be.
    var currentFrame: Int { shown ?? cycle.frame(at: cursor.position) }

    /// While a file is arriving its end is not known: all modes begin with what there is.
    private var cycle: PlaybackCycle {
        PlaybackCycle(frameCount: durations.count, mode: isOpenEnded ? .normal : mode)
    }

    private var isRunning: Bool {
        isPlaying && isVisible && rate > 0 && (durations.count > 1 || isOpenEnded)
    }

    // MARK: - Events

    /// Begins, or goes on; after the end from the start.
    mutating func play(at now: Duration, _ isThere: IsThere) -> [Action] {
        if isFinished { rewind() }
        isPlaying = true
        return settle(now, isThere)
    }

    /// Stands still on the frame on screen (X172).
    mutating func pause(at now: Duration, _ isThere: IsThere) -> [Action] {
        isPlaying = false
        return settle(now, isThere)
    }

    /// Stands still, and begins again at the start when it is played (X172). The frame on screen stays.
    mutating func stop() {
        isPlaying = false
        due = nil
        rewind()
    }

    /// Shows another frame, at once or when it is there; playing goes on from it (X173).
    mutating func seek(toFrame frame: Int, loop: Int? = nil, at now: Duration, _ isThere: IsThere) -> [Action] {
        let frame = min(max(frame, 0), durations.count - 1)
        cursor = Cursor(position: cycle.position(of: frame), loop: max(0, loop ?? cursor.loop))
        awaited = cursor
        isSeeking = true
        isFinished = false
        isStalled = false
        due = nil
        return settle(now, isThere)
    }

    /// Plays faster or slower; at 0 and less it stands still (X170).
    mutating func setRate(_ rate: Double, at now: Duration, _ isThere: IsThere) -> [Action] {
        halt(now)
        self.rate = rate > 0 ? min(rate, Self.highestRate) : 0
        return settle(now, isThere)
    }

    /// Goes on from the frame on screen in another order.
    mutating func setMode(_ mode: PlaybackMode, at now: Duration, _ isThere: IsThere) -> [Action] {
        changeCycle { $0.mode = mode }
        return settle(now, isThere)
    }

    mutating func setLoopLimit(_ limit: Int, at now: Duration, _ isThere: IsThere) -> [Action] {
        loopLimit = max(0, limit)
        return settle(now, isThere)
    }

    /// Time passes only for what can be seen (X175, B100).
    mutating func setVisible(_ isVisible: Bool, at now: Duration, _ isThere: IsThere) -> [Action] {
        self.isVisible = isVisible
        return settle(now, isThere)
    }

    /// More of the file is there: goes on from the frame on screen (X175).
    mutating func replace(
        durations: [Duration], isOpenEnded: Bool, at now: Duration, _ isThere: IsThere
    ) -> [Action] {
        changeCycle { state in
            state.durations = durations
            state.isOpenEnded = isOpenEnded
        }
        guard isStalled else { return settle(now, isThere) }
        var actions: [Action] = []
        switch step(from: cursor) {
        case .next(let next): awaited = next
        case .end: finish(nil, &actions)
        case .open: return []
        }
        isStalled = false
        return actions + settle(now, isThere)
    }

    /// The time that `due` named has come, or frames have.
    mutating func tick(at now: Duration, _ isThere: IsThere) -> [Action] {
        var actions: [Action] = []
        if isRunning, let due, due <= now {
            advance(from: now - due > Self.longestCatchUp ? now : due, to: now, isThere, &actions)
        }
        return actions + settle(now, isThere)
    }

    // MARK: - Needs

    /// The frames that it needs.
    var demand: FrameDemand {
        var demand = FrameDemand(current: shown, isForward: !mode.startsAtEnd || isOpenEnded)
        guard canShow else { return demand }
        demand.isWaiting = awaited != nil
        var next = awaited ?? following(cursor)
        // A short animation comes round, and a bounce turns: the same frames again do not count.
        for _ in 0..<(2 * Self.lookahead) {
            guard let cursor = next, demand.upcoming.count < Self.lookahead else { break }
            let frame = cycle.frame(at: cursor.position)
            if !demand.upcoming.contains(frame) { demand.upcoming.append(frame) }
            // One that was only sought needs no more.
            next = isRunning ? following(cursor) : nil
        }
        if mode.bounces, demand.upcoming.count > 1 { demand.isForward = demand.upcoming[0] < demand.upcoming[1] }
        return demand
    }

    private var canShow: Bool { isVisible && (isRunning || awaited != nil && (isSeeking || isPlaying && rate > 0)) }

    // MARK: - Time

    /// Brings what is on screen, and `due`, in line with what is wanted.
    private mutating func settle(_ now: Duration, _ isThere: IsThere) -> [Action] {
        if !isRunning { halt(now) }
        var actions: [Action] = []
        if let next = awaited, canShow, isThere(cycle.frame(at: next.position)) {
            enter(next, &actions)
            left = durations[currentFrame]
        }
        if isRunning, awaited == nil, due == nil, !isStalled { due = start(now) + left / rate }
        return actions
    }

    /// When the frame on screen counts as begun.
    private func start(_ now: Duration) -> Duration {
        let step = min(left / rate, Self.longestStep)
        guard keepsStep, step > .zero, left == durations[currentFrame] else { return now }
        return step * (now / step).rounded()
    }

    private mutating func halt(_ now: Duration) {
        guard let due else { return }
        left = max(.zero, (due - now) * rate)
        self.due = nil
    }

    /// Goes on to the frame that the time is for: the latest one that is there. Those before it are left out. Where none is
    /// there the old one stays, and time stands still until the next one has come (X171).
    private mutating func advance(
        from start: Duration, to now: Duration, _ isThere: IsThere, _ actions: inout [Action]
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
                if isThere(frame) { best = next }
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

    /// Changes what the order of frames depends on, and stays at the same frames. What has not begun begins at the new start.
    private mutating func changeCycle(_ change: (inout PlayerState) -> Void) {
        let begins = awaited == Cursor() && !isSeeking
        let frame = cycle.frame(at: cursor.position)
        let next = awaited.map { cycle.frame(at: $0.position) }
        change(&self)
        guard !begins else { return }
        cursor.position = cycle.position(of: min(frame, durations.count - 1))
        guard let next else { return }
        let position = cycle.position(of: min(next, durations.count - 1))
        awaited?.position = position
    }

    // MARK: - Order

    private func following(_ cursor: Cursor) -> Cursor? {
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
