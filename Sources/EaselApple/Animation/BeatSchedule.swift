/// The pending times of a clock and how to wait for them: with a timer while they are distant, with screen refreshes
/// when they are near. Frames then change with the screen, and nothing runs in between.
struct BeatSchedule {
    /// How to wait for the next time.
    enum Wait: Equatable {
        /// Nothing is pending.
        case nothing
        /// Nothing is due for this duration.
        case timer(Duration)
        /// It is due with one of the next refreshes.
        case beats
    }

    /// Two refreshes of a slow screen: a timer that fires this early is in time.
    static let nearness = Duration.milliseconds(34)

    private var dueTimes: [Int: Duration] = [:]
    private var lastNumber = 0

    /// Adds a due time and returns its number.
    mutating func add(due: Duration) -> Int {
        lastNumber += 1
        dueTimes[lastNumber] = due
        return lastNumber
    }

    /// Removes a due time.
    mutating func remove(_ number: Int) { dueTimes[number] = nil }

    /// Removes and returns the times that are due when a frame drawn now is visible, earliest first.
    mutating func takeDue(at time: Duration) -> [Int] {
        let due = dueTimes.filter { $0.value <= time }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        for (number, _) in due { dueTimes[number] = nil }
        return due.map(\.key)
    }

    /// Returns how to wait for the next due time.
    func wait(at now: Duration) -> Wait {
        guard let next = dueTimes.values.min() else { return .nothing }
        let left = next - now
        return left > Self.nearness ? .timer(left - Self.nearness) : .beats
    }
}
