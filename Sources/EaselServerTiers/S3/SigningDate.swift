#if Server
import EaselFoundation

/// A date in the form of signatures, in UTC: `20130524T000000Z`.
struct SigningDate: Hashable {
    /// The day: `20130524`.
    let day: String
    /// The day and the time of day.
    let text: String

    init(_ date: Date) {
        // To the year 9999, so that the conversion to whole seconds and four digits is safe.
        let seconds = Int(min(max(date.timeIntervalSince1970, 0), 253_402_300_799).rounded(.down))
        let (year, month, day) = Self.civil(day: seconds / 86_400)
        let time = seconds % 86_400
        self.day = Self.digits(year, 4) + Self.digits(month, 2) + Self.digits(day, 2)
        text =
            self.day + "T" + Self.digits(time / 3600, 2) + Self.digits(time / 60 % 60, 2) + Self.digits(time % 60, 2)
            + "Z"
    }

    /// Returns the date of a day since 1970 in the Gregorian calendar. Years begin in March here, so that a leap day is
    /// the last of its year.
    private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
#endif
