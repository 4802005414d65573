#if Server
import EaselFoundation
import EaselServerTiers

/// Dates in the preferred form of HTTP (RFC 9110 5.6.7).
enum DateField {
    /// Returns a date as `Sun, 06 Nov 1994 08:49:37 GMT`. Years are from 1970 to 9999.
    static func text(_ date: Date) -> String {
        let time = CalendarTime(date)
        let clock = [time.hour, time.minute, time.second].map(twoDigits).joined(separator: ":")
        return "\(weekdays[time.weekday]), \(twoDigits(time.day)) \(months[time.month - 1]) \(time.year) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
#endif
