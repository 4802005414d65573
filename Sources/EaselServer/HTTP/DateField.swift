#if Server
import EaselFoundation

/// Dates in the preferred form of HTTP (RFC 9110 5.6.7).
enum DateField {
    struct Parts {
        var year: Int
        var month: Int
        var day: Int
        var hour: Int
        var minute: Int
        var second: Int
        /// From 0, Sunday.
        var weekday: Int
    }

    /// Returns a date as `Sun, 06 Nov 1994 08:49:37 GMT`. Years are from 1970 to 9999.
    static func text(_ date: Date) -> String {
        let parts = parts(Int(min(max(date.timeIntervalSince1970, 0), 253_402_300_799)))
        let clock = [parts.hour, parts.minute, parts.second].map(twoDigits).joined(separator: ":")
        let day = "\(weekdays[parts.weekday]), \(twoDigits(parts.day)) \(months[parts.month - 1]) \(parts.year)"
        return "\(day) \(clock) GMT"
    }

    /// Returns the parts of a time in seconds since 1970, in UTC and the Gregorian calendar.
    ///
    /// Years begin in March here, so that a leap day is the last of its year.
    static func parts(_ seconds: Int) -> Parts {
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        return Parts(
            year: era * 400 + yearOfEra + (month >= 10 ? 1 : 0), month: month >= 10 ? month - 9 : month + 3,
            day: dayOfYear - (153 * month + 2) / 5 + 1, hour: second / 3600, minute: second / 60 % 60,
            second: second % 60,
            // The first day was a Thursday.
            weekday: (days + 4) % 7)
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
#endif
