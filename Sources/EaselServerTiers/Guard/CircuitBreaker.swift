#if Server
/// The decision whether calls to a server are made.
///
/// A pure value: the outcomes of calls and pings are events, and a ping is the action. The breaker opens when too many
/// of the last calls failed. While it is open no call is made; pings are, and the first that succeeds closes it. A
/// breaker that opens again soon after it closed waits longer before each ping.
struct CircuitBreaker: Sendable {
    struct Configuration: Sendable, Hashable {
        /// The number of calls whose outcome counts, at most 64.
        var windowSize = 20
        /// The number of failures among them that opens the breaker.
        var failureLimit = 5
        /// The pause before the first ping, which doubles up to the longest one.
        var firstDelay = Duration.milliseconds(100)
        var longestDelay = Duration.seconds(1)
    }

    enum Action: Hashable {
        /// Send a ping after a pause, and call `didPing`.
        case ping(after: Duration)
    }

    /// A call that was admitted. Outcomes from before the last closing do not count.
    typealias Period = Int

    private let configuration: Configuration
    private(set) var isOpen = false
    private var period: Period = 0
    /// The last outcomes as bits, the newest lowest. A failure is 1.
    private var outcomes: UInt64 = 0
    private var outcomeCount = 0
    private var delay: Duration

    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        delay = configuration.firstDelay
    }

    /// Returns the current period if a call may be made, and `nil` while the breaker is open.
    func admit() -> Period? { isOpen ? nil : period }

    /// Records the outcome of an admitted call.
    mutating func record(isFailure: Bool, in period: Period) -> Action? {
        guard !isOpen, period == self.period else { return nil }
        outcomes = outcomes << 1 | (isFailure ? 1 : 0)
        outcomeCount = min(outcomeCount + 1, 64)
        let windowSize = min(max(configuration.windowSize, 1), 64)
        if outcomeCount >= windowSize, !isFailure { delay = configuration.firstDelay }
        let window = outcomes & (UInt64.max >> (64 - windowSize))
        guard window.nonzeroBitCount >= configuration.failureLimit else { return nil }
        isOpen = true
        return .ping(after: delay)
    }

    /// Records the outcome of a ping.
    mutating func didPing(isFailure: Bool) -> Action? {
        guard isOpen else { return nil }
        delay = min(delay * 2, configuration.longestDelay)
        guard !isFailure else { return .ping(after: delay) }
        isOpen = false
        period += 1
        outcomes = 0
        outcomeCount = 0
        return nil
    }
}
#endif
