/// Which frames a player needs.
struct FrameDemand: Equatable, Sendable {
    /// The one on screen.
    var current: Int?
    /// Those that come next, the first one first; none for a player that stands still or cannot be seen.
    var upcoming: [Int] = []
    /// Whether the first of them should be on screen already.
    var isWaiting = false
    /// Whether frames behind those follow in the order of their numbers, or backwards.
    var isForward = true

    /// How many frames are shown before this one: 0 for the next one, negative for the one on screen.
    ///
    /// Beyond what is known to come it is a guess that is exact but near the turns of a bounce.
    func distance(to frame: Int, of count: Int) -> Int {
        if frame == current { return -1 }
        if let place = upcoming.firstIndex(of: frame) { return place }
        guard let last = upcoming.last else { return Int.max - 1 }
        let steps = isForward ? frame - last : last - frame
        return upcoming.count + (steps + count) % count
    }
}
