/// When the next preview is made: one at a time, not too soon after the one before, and not while there is nothing new.
///
/// A pure value that takes events and returns what is to be done; `PreviewMaker` does it. Times are those of one clock,
/// from any moment.
struct PreviewSchedule {
    enum Action: Hashable {
        /// Make a preview of what there is now.
        case make
        /// Come back after this time.
        case wait(Duration)
    }

    /// The least time from the beginning of one preview to that of the next.
    let interval: Duration
    private var isMaking = false
    private var isWaiting = false
    private var hasNews = false
    private var isEnded = false
    private var began = Duration.zero
    /// When the next one may begin.
    private var earliest: Duration?

    init(interval: Duration) {
        self.interval = interval
    }

    /// More has come.
    mutating func newsCame(at now: Duration) -> Action? {
        hasNews = true
        return next(now)
    }

    /// The preview is made, or turned out to be none. A slow maker rests for as long as it has worked, so that previews never
    /// take more than half of a core, and passes over what came meanwhile but for the last of it (B93).
    mutating func made(at now: Duration) -> Action? {
        isMaking = false
        earliest = max(began + interval, now + (now - began))
        return next(now)
    }

    /// The time to wait is over.
    mutating func waited(at now: Duration) -> Action? {
        isWaiting = false
        return next(now)
    }

    /// Nobody wants any more.
    mutating func end() {
        isEnded = true
    }

    private mutating func next(_ now: Duration) -> Action? {
        guard hasNews, !isMaking, !isWaiting, !isEnded else { return nil }
        if let earliest, now < earliest {
            isWaiting = true
            return .wait(earliest - now)
        }
        hasNews = false
        isMaking = true
        began = now
        return .make
    }
}
