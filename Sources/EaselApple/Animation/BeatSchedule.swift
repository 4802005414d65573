/// What waits for a time, and how it is to be waited for: by a timer while that is far, by the beats of the screen when it is
/// near, so that frames change with the screen and nothing beats in between.
struct BeatSchedule {
    /// How the next time is waited for.
    enum Wait: Equatable {
        /// Nothing waits.
        case nothing
        /// For so long nothing is due.
        case timer(Duration)
        /// It is due with one of the next beats.
        case beats
    }

    /// Two beats of a slow screen: a timer that fires so long before is early enough.
    static let nearness = Duration.milliseconds(34)

    private var dueTimes: [Int: Duration] = [:]
    private var lastNumber = 0

    /// Adds what is due at a time, and returns its number.
    mutating func add(due: Duration) -> Int {
        lastNumber += 1
        dueTimes[lastNumber] = due
        return lastNumber
    }

    /// It is no longer waited for.
    mutating func remove(_ number: Int) { dueTimes[number] = nil }

    /// Takes out what is due when a frame that is drawn now will be seen, the earliest first.
    mutating func takeDue(at time: Duration) -> [Int] {
        let due = dueTimes.filter { $0.value <= time }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        for (number, _) in due { dueTimes[number] = nil }
        return due.map(\.key)
    }

    /// How to wait from now on.
    func wait(at now: Duration) -> Wait {
        guard let next = dueTimes.values.min() else { return .nothing }
        let left = next - now
        return left > Self.nearness ? .timer(left - Self.nearness) : .beats
    }
}
