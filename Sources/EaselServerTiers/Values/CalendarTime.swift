#if Server
package import EaselFoundation

/// A time in UTC and the Gregorian calendar. Years are from 1970 to 9999.
package struct CalendarTime {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    /// From 0, Sunday.
    package let weekday: Int

    package init(_ date: Date) { self.init(seconds: Int(min(max(date.timeIntervalSince1970, 0), 253_402_300_799))) }

    /// Creates the time of whole seconds since 1970. Years begin in March here, so that a leap day is the last of its
    /// year.
    package init(seconds: Int) {
        let (days, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        year = era * 400 + yearOfEra + (shiftedMonth >= 10 ? 1 : 0)
        month = shiftedMonth >= 10 ? shiftedMonth - 9 : shiftedMonth + 3
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        hour = time / 3600
        minute = time / 60 % 60
        second = time % 60
        // The first day was a Thursday.
        weekday = (days + 4) % 7
    }

    /// Returns a number with zeros before it.
    package static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
#endif
