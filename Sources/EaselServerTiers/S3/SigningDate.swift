#if Server
import EaselFoundation

/// A date in the form of signatures, in UTC: `20130524T000000Z`.
struct SigningDate: Hashable {
    /// The day: `20130524`.
    let day: String
    /// The day and the time of day.
    let text: String

    init(_ date: Date) {
        let time = CalendarTime(date)
        day = CalendarTime.digits(time.year, 4) + Self.pairs(time.month, time.day)
        text = "\(day)T\(Self.pairs(time.hour, time.minute, time.second))Z"
    }

    private static func pairs(_ numbers: Int...) -> String { numbers.map { CalendarTime.digits($0, 2) }.joined() }
}
#endif
