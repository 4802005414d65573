/// Who observes a source, and whether the source has to run.
///
/// Pure. The source is started and stopped outside the lock, by one caller at a time, so that a start which crosses a stop
/// cannot overtake it.
struct PressureObservers<Handler> {
    /// What the source has to do.
    enum Action: Equatable {
        case start
        case stop
    }

    private var entries: [(number: Int, handler: Handler)] = []
    private var lastNumber = 0
    private var isRunning = false
    private var isActing = false

    /// In the order in which they came.
    var handlers: [Handler] { entries.map(\.handler) }

    /// Adds an observer and returns its number.
    mutating func add(_ handler: Handler) -> Int {
        lastNumber += 1
        entries.append((lastNumber, handler))
        return lastNumber
    }

    mutating func remove(_ number: Int) {
        entries.removeAll { $0.number == number }
    }

    /// What is to be done now, if anything. Then call `end`, and ask again.
    mutating func begin() -> Action? {
        let isNeeded = !entries.isEmpty
        guard !isActing, isNeeded != isRunning else { return nil }
        isActing = true
        isRunning = isNeeded
        return isNeeded ? .start : .stop
    }

    /// What was to be done is done.
    mutating func end() { isActing = false }
}

extension PressureObservers: Sendable where Handler: Sendable {}
