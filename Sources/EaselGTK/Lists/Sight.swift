/// The visible positions of a list, and the distance of others.
///
/// Some positions are neither near nor far, so that small scroll movements have no effect.
struct Sight {
    private let seen: ClosedRange<Int>

    /// Returns `nil` if no position is visible.
    init?(of positions: some Sequence<Int>) {
        var seen: ClosedRange<Int>?
        for position in positions {
            seen = seen.map { min($0.lowerBound, position)...max($0.upperBound, position) } ?? position...position
        }
        guard let seen else { return nil }
        self.seen = seen
    }

    /// Returns whether a position may soon be visible: it is within a quarter of a page.
    func isNear(_ position: Int) -> Bool { distance(of: position) <= (seen.count + 3) / 4 }

    /// Returns whether a position is more than half a page away.
    func isFar(_ position: Int) -> Bool { distance(of: position) > (seen.count + 1) / 2 }

    /// Returns the distance of a position from the visible range.
    private func distance(of position: Int) -> Int {
        max(seen.lowerBound - position, position - seen.upperBound, 0)
    }
}
