/// What waits to be done until nothing more comes for a moment that somebody waits for, each under its key, and one after the
/// other then.
///
/// A pure value: moments are the times of some clock.
struct RestQueue<Value> {
    /// What whoever works it off has to do next.
    enum Step {
        /// This, and then say `finished` with its number.
        case take(CacheKey, Value, number: Int)
        /// To ask again after this long.
        case wait(Duration)
        /// Nothing. Who comes next needs somebody to begin.
        case end
    }

    /// How long nothing comes where things have come to rest: some frames, as page may follow page.
    static var rest: Duration { .milliseconds(150) }
    /// How long anything waits at most, where things never come to rest.
    static var patience: Duration { .seconds(5) }
    /// How many may wait; of more the oldest are let go.
    static var limit: Int { 4096 }

    private struct Entry {
        let key: CacheKey
        let value: Value
        let since: Duration
    }

    /// By numbers that grow, of which those from `first` on may be there.
    private var entries: [Int: Entry] = [:]
    private var numbers: [CacheKey: Int] = [:]
    private var first = 0
    private var next = 0
    /// When the latest came that the others wait for.
    private var latest = Duration.seconds(-1)
    /// What is being done, and whether it was taken back meanwhile; by its number.
    private var underWay: [Int: (key: CacheKey, isTakenBack: Bool)] = [:]
    private var isWorkedOff = false

    /// Whether nothing is being done now.
    var isResting: Bool { underWay.isEmpty }

    /// What waits under `key`.
    subscript(key: CacheKey) -> Value? { numbers[key].flatMap { entries[$0]?.value } }

    /// Adds something, in place of what waits under the same key.
    ///
    /// - Parameter isWaitedFor: whether somebody waits for what it is about, so that the others wait for more of these.
    /// - Returns: whether somebody has to begin to work it off.
    mutating func add(_ value: Value, for key: CacheKey, at now: Duration, isWaitedFor: Bool = true) -> Bool {
        forget(key)
        if entries.count == Self.limit, let oldest { forget(oldest.key) }
        entries[next] = Entry(key: key, value: value, since: now)
        numbers[key] = next
        next += 1
        if isWaitedFor { latest = now }
        defer { isWorkedOff = true }
        return !isWorkedOff
    }

    /// What to do now, for the one who works it off.
    mutating func step(at now: Duration) -> Step {
        guard let oldest else {
            isWorkedOff = false
            return .end
        }
        let due = min(latest + Self.rest, oldest.since + Self.patience)
        if now < due { return .wait(due - now) }
        return isUnderWay(oldest.key) ? .wait(Self.rest) : take(oldest)
    }

    /// The next at once, for one who does not wait for rest; only for the end of what is being done under the same key.
    mutating func hurriedStep() -> Step {
        guard let oldest else { return .end }
        return isUnderWay(oldest.key) ? .wait(.zero) : take(oldest)
    }

    /// Whether something is being done under `key`.
    func isUnderWay(_ key: CacheKey) -> Bool { underWay.values.contains { $0.key == key } }

    /// Lets go of what waits under `key`: something newer takes its place.
    mutating func forget(_ key: CacheKey) {
        if let number = numbers.removeValue(forKey: key) { entries[number] = nil }
    }

    /// Lets go of the oldest, as many as are of no use any more.
    mutating func forgetOldest(while isUseless: (Value) -> Bool) {
        while let oldest, isUseless(oldest.value) { forget(oldest.key) }
    }

    /// Takes back what waits under `key`, or is being done.
    mutating func remove(_ key: CacheKey) {
        forget(key)
        for (number, task) in underWay where task.key == key { underWay[number]?.isTakenBack = true }
    }

    /// Takes everything back.
    mutating func removeAll() {
        entries = [:]
        numbers = [:]
        for number in underWay.keys { underWay[number]?.isTakenBack = true }
    }

    /// What was taken is done, or undone.
    ///
    /// - Returns: whether it was taken back meanwhile: then it is still under way, is to be undone, and this said again.
    mutating func finished(_ number: Int) -> Bool {
        guard underWay[number]?.isTakenBack == true else {
            underWay[number] = nil
            return false
        }
        underWay[number]?.isTakenBack = false
        return true
    }

    private var oldest: Entry? {
        mutating get {
            while first < next, entries[first] == nil { first += 1 }
            return entries[first]
        }
    }

    private mutating func take(_ entry: Entry) -> Step {
        forget(entry.key)
        underWay[first] = (entry.key, false)
        return .take(entry.key, entry.value, number: first)
    }
}
