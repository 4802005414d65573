/// The places of a list that are seen, and how far others are from them.
///
/// Between what is near and what is far there is room, so that a list that goes up and down a little does nothing.
struct Sight {
    private let seen: ClosedRange<Int>

    /// `nil` where nothing is seen.
    init?(of positions: some Sequence<Int>) {
        var seen: ClosedRange<Int>?
        for position in positions {
            seen = seen.map { min($0.lowerBound, position)...max($0.upperBound, position) } ?? position...position
        }
        guard let seen else { return nil }
        self.seen = seen
    }

    /// Whether a place may be seen soon: it is within a quarter of a page.
    func isNear(_ position: Int) -> Bool { distance(of: position) <= (seen.count + 3) / 4 }

    /// Whether a place is further than half a page away.
    func isFar(_ position: Int) -> Bool { distance(of: position) > (seen.count + 1) / 2 }

    /// How many places further it is than the last that is seen.
    private func distance(of position: Int) -> Int {
        max(seen.lowerBound - position, position - seen.upperBound, 0)
    }
}
