import EaselFoundation

/// The three date forms of HTTP (RFC 9110 5.6.7).
enum HTTPDate {
    /// Parses a date. Returns `nil` for any other form.
    ///
    /// - Parameter now: determines the century of a year of two digits.
    static func parse(_ text: String, now: Date) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        let tokens = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "-") }
            .map { String(Substring($0)) }
        guard let weekday = tokens.first, weekdays.contains(weekday) else { return nil }
        switch tokens.count {
        case 6 where tokens[5] == "GMT":
            // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT
            return date(tokens[3], tokens[2], tokens[1], tokens[4], now: now)
        case 5 where tokens[4].utf8.count == 4:
            // Sun Nov  6 08:49:37 1994
            return date(tokens[4], tokens[1], tokens[2], tokens[3], now: now)
        default:
            return nil
        }
    }

    private static func date(_ year: String, _ month: String, _ day: String, _ time: String, now: Date) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).compactMap {
            number(String($0), digits: 2...2)
        }
        guard let month = months.firstIndex(of: month), let day = number(day, digits: 1...2), clock.count == 3,
            let year = fullYear(year, now: now), day >= 1, day <= length(ofMonth: month + 1, year),
            // 60 is a leap second.
            clock[0] < 24, clock[1] < 60, clock[2] <= 60
        else { return nil }
        let days = dayNumber(year, month + 1, day)
        return Date(timeIntervalSince1970: Double(days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]))
    }

    /// Returns the full year. A year of two digits is at most 50 years ahead.
    private static func fullYear(_ text: String, now: Date) -> Int? {
        if text.utf8.count == 4 { return number(text, digits: 4...4) }
        guard let short = number(text, digits: 2...2) else { return nil }
        // By the mean length of a year.
        let thisYear = 1970 + Int(min(max(now.timeIntervalSince1970, 0), 1e12) / 31_556_952)
        let year = thisYear - thisYear % 100 + short
        return year > thisYear + 50 ? year - 100 : year
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970 in the Gregorian calendar. Years begin in March here, so that a leap day is the last of its
    /// year.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let month = (month + 9) % 12
        return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 719_469
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays: Set<String> = [
        "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday",
        "Friday", "Saturday",
    ]
}
