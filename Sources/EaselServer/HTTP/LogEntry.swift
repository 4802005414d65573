#if Server
import EaselFoundation
import EaselServerTiers

/// The line of a request in the log.
struct LogEntry {
    var method: String
    var path: Substring
    var isImage = false
    var code: String?
    var origin: ResultOrigin?
    var isCoalesced = false
    var trace: String?

    init(method: String, path: Substring) {
        self.method = method
        self.path = path
    }

    /// Returns the line, a JSON object.
    func line(status: Int, bytes: Int, duration: Duration, client: String) -> String {
        var text = JSONText()
        text.add("time", TimeText.now)
        text.add("method", String(method.prefix(16)))
        text.add("path", String(path.prefix(1024)))
        text.add("status", status)
        if let code { text.add("code", code) }
        text.add("bytes", bytes)
        text.add("ms", milliseconds: duration.inSeconds)
        if let origin { text.add("cache", origin.name) }
        if isCoalesced { text.add("coalesced", true) }
        text.add("client", client)
        if let trace { text.add("trace", trace) }
        return text.object
    }
}

/// Times in the form of RFC 3339.
enum TimeText {
    static var now: String { text(Date()) }

    /// Returns a time such as `2026-01-02T03:04:05.678Z`.
    static func text(_ date: Date) -> String {
        let milliseconds = Int(min(max(date.timeIntervalSince1970, 0), 253_402_300_799) * 1000)
        let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let time = CalendarTime(seconds: seconds)
        let day = [(time.year, 4), (time.month, 2), (time.day, 2)].map { CalendarTime.digits($0, $1) }
            .joined(separator: "-")
        let clock = [time.hour, time.minute, time.second].map { CalendarTime.digits($0, 2) }.joined(separator: ":")
        return "\(day)T\(clock).\(CalendarTime.digits(fraction, 3))Z"
    }
}
#endif
