@testable import EaselCore
@testable import EaselViews

/// Runs a player state through time and records its actions.
struct PlayerSimulation {
    var state: PlayerState
    var now = Duration.zero
    /// The available frames, or `nil` for all.
    var frames: Set<Int>?
    /// The shown frames as `milliseconds:frame`.
    private(set) var shown: [String] = []
    private(set) var loops: [Int] = []
    private(set) var finishes = 0

    /// Creates a simulation of an animation with frame durations in milliseconds.
    init(_ milliseconds: [Int], loops: Int = 0, isOpenEnded: Bool = false, alignsToGrid: Bool = false) {
        state = PlayerState(
            durations: milliseconds.map { .milliseconds($0) }, loopCount: loops, isOpenEnded: isOpenEnded,
            alignsToGrid: alignsToGrid)
    }

    mutating func play() { act { $0.play(at: $1, $2) } }
    mutating func pause() { act { $0.pause(at: $1, $2) } }
    mutating func seek(to frame: Int) { act { $0.seek(toFrame: frame, at: $1, $2) } }
    mutating func setRate(_ rate: Double) { act { $0.setRate(rate, at: $1, $2) } }
    mutating func setMode(_ mode: PlaybackMode) { act { $0.setMode(mode, at: $1, $2) } }
    mutating func setVisible(_ isVisible: Bool) { act { $0.setVisible(isVisible, at: $1, $2) } }
    mutating func addFrames(_ new: Set<Int>) {
        frames?.formUnion(new)
        act { $0.tick(at: $1, $2) }
    }
    mutating func replace(_ milliseconds: [Int], isOpenEnded: Bool = false) {
        act {
            $0.replace(
                durations: milliseconds.map { .milliseconds($0) }, isOpenEnded: isOpenEnded, at: $1, $2)
        }
    }

    /// Advances the time to `end`, with a tick whenever one is due.
    mutating func run(to end: Int) {
        while let due = state.due, due <= .milliseconds(end) {
            now = max(now, due)
            act { $0.tick(at: $1, $2) }
        }
        now = .milliseconds(end)
    }

    /// Advances the time to `end`, with a single tick there.
    mutating func sleep(to end: Int) {
        now = .milliseconds(end)
        act { $0.tick(at: $1, $2) }
    }

    private mutating func act(
        _ event: (inout PlayerState, Duration, PlayerState.IsAvailable) -> [PlayerState.Action]
    ) {
        let frames = frames
        for action in event(&state, now, { frames?.contains($0) ?? true }) {
            switch action {
            case .show(let frame): shown.append("\(Int((now / .milliseconds(1)).rounded())):\(frame)")
            case .loopEnded(let count): loops.append(count)
            case .finished: finishes += 1
            }
        }
    }
}
