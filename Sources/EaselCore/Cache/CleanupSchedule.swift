/// When files that are too old are removed, apart from stores that pass a limit (X069, X095).
public struct CleanupSchedule: Sendable, Hashable {
    /// How often, in a process that lives long: once a day. `nil` for never. The time of the last cleanup is kept in the
    /// folder, so that processes that start often, or side by side, do it no more often (B33).
    public var interval: Duration? = .days(1)
    /// Whether also when the process exits, where it is due; `exit` waits for it. On by default.
    public var isDoneAtExit = true

    /// The defaults named above.
    public init() {}

    /// Whether it is time; dates in seconds since 1970. One that lies ahead was set by a clock that has gone back since.
    func isDue(last: Double?, now: Double) -> Bool {
        guard let interval else { return false }
        guard let last, last <= now else { return true }
        return now - last >= interval.seconds
    }

    /// How long to wait until it is time, at least a minute so that a clock that jumps makes nobody busy.
    func wait(last: Double?, now: Double) -> Duration? {
        guard let interval else { return nil }
        guard let last, last <= now else { return .seconds(60) }
        return max(.seconds(60), interval - .seconds(now - last))
    }
}
