/// In which order frames are played (X170).
public enum PlaybackMode: Sendable, Hashable, CaseIterable {
    /// From the first to the last.
    case normal
    /// From the last to the first.
    case reverse
    /// To the last and back to the first, which is one loop.
    case bounce
    /// From the last to the first and back, which is one loop.
    case reversedBounce

    var bounces: Bool { self == .bounce || self == .reversedBounce }
    var startsAtEnd: Bool { self == .reverse || self == .reversedBounce }
}

/// The frames of one loop, in the order in which they are shown.
///
/// The two ends of a bounce are shown once a loop: what would be the end of a loop is the beginning of the next. Only the last
/// loop closes with the frame that it began with, as a position of its own.
struct PlaybackCycle: Equatable {
    var frameCount: Int
    var mode: PlaybackMode

    /// Positions of a loop that another one follows.
    var length: Int { mode.bounces ? max(1, 2 * (frameCount - 1)) : frameCount }

    /// Positions of the last loop.
    var closedLength: Int { mode.bounces && frameCount > 1 ? length + 1 : length }

    func frame(at position: Int) -> Int {
        let forward = position < frameCount ? position : 2 * (frameCount - 1) - position
        return mode.startsAtEnd ? frameCount - 1 - forward : forward
    }

    /// Where a frame is first shown in a loop.
    func position(of frame: Int) -> Int {
        mode.startsAtEnd ? frameCount - 1 - frame : frame
    }
}
