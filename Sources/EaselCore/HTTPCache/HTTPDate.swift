import EaselFoundation

/// Dates as HTTP writes them, in the three forms of RFC 9110 5.6.7.
enum HTTPDate {
    /// The date, or `nil` for anything that is none of the three forms.
    ///
    /// - Parameter now: tells which century two digits of a year mean.
    static func parse(_ text: String, now: Date) -> Date? {
        if let date = text.withBytes(preferred) { return date }
        guard text.utf8.count <= longest else { return nil }
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

    /// A date in the preferred form, all of whose parts have their places: nearly every date has it. `nil` says nothing.
    private static func preferred(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        func number(_ places: Range<Int>) -> Int {
            places.reduce(0) { number, place in
                let digit = Int(text[place]) - 48
                // What is no number stays below any.
                return number < 0 || !(0...9).contains(digit) ? -1 : 10 * number + digit
            }
        }
        guard text.count == 29, zip(form, text).allSatisfy({ $0 == UInt8(ascii: "x") || $0 == $1 }),
            preferredWeekdays.contains(packed(text[0..<3])),
            let month = preferredMonths.firstIndex(of: packed(text[8..<11])),
            case let (year, day) = (number(12..<16), number(5..<7)), year >= 0, day >= 1,
            day <= length(ofMonth: month + 1, year),
            case let (hour, minute, second) = (number(17..<19), number(20..<22), number(23..<25)),
            (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second)
        else { return nil }
        let seconds = dayNumber(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// What stands where, but for letters and digits that differ.
    private static let form = Array("xxx, xx xxx xxxx xx:xx:xx GMT".utf8)
    private static let preferredWeekdays = shortWeekdays.map { packed($0.utf8) }
    private static let preferredMonths = months.map { packed($0.utf8) }

    /// Three letters as one number.
    private static func packed(_ letters: some Sequence<UInt8>) -> UInt32 {
        letters.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The preferred form, which is the only one that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ date: Date) -> String {
        let seconds = Int(min(max(date.timeIntervalSince1970, 0), lastSecond).rounded(.down))
        let (days, time) = (seconds / 86_400, seconds % 86_400)
        let (year, month, day) = civil(days)
        let weekday = shortWeekdays[(days + 4) % 7]
        let clock = [time / 3600, time / 60 % 60, time % 60].map(twoDigits).joined(separator: ":")
        return "\(weekday), \(twoDigits(day)) \(months[month - 1]) \(year) \(clock) GMT"
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

    /// Two digits that would lie more than 50 years ahead mean the last year in the past that ends in them.
    private static func fullYear(_ text: String, now: Date) -> Int? {
        if text.utf8.count == 4 { return number(text, digits: 4...4) }
        guard let short = number(text, digits: 2...2) else { return nil }
        let thisYear = civil(Int(min(max(now.timeIntervalSince1970, 0), lastSecond)) / 86_400).year
        let year = thisYear - thisYear % 100 + short
        return year > thisYear + 50 ? year - 100 : year
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970 in the Gregorian calendar. Years begin in March here, so that a leap day is the last of its year.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let month = (month + 9) % 12
        return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 719_469
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        var year = 1970 + days / 366
        while dayNumber(year + 1, 1, 1) <= days { year += 1 }
        var month = 1
        while month < 12, dayNumber(year, month + 1, 1) <= days { month += 1 }
        return (year, month, days - dayNumber(year, month, 1) + 1)
    }

    private static let longest = 64
    /// The end of the year 9999.
    private static let lastSecond = 253_402_300_799.0
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let shortWeekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let weekdays: Set<String> = Set(
        shortWeekdays + ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"])
}
