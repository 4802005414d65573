/// Lets a report through unless one as grave came a short while ago.
///
/// The kernel tells every two seconds for as long as it lasts. Each time a cache keeps but a share of what it has: it would
/// be empty before giving memory back could show.
struct PressureFilter {
    /// For how long a report covers those that are no graver.
    static let quiet: Duration = .seconds(10)

    private var last: (pressure: MemoryPressure, time: Duration)?

    /// Whether a report at this time, since some fixed moment, is news.
    mutating func admits(_ pressure: MemoryPressure, at now: Duration) -> Bool {
        if let last, now - last.time < Self.quiet, pressure.keptShare >= last.pressure.keptShare { return false }
        last = (pressure, now)
        return true
    }
}
