import EaselCore
import FoundationEssentials

@testable import EaselCore

/// Stored responses with times in seconds since `start`.
enum ResponseFixture {
    static let start = Date(timeIntervalSince1970: 1_790_000_000)
    static let url = "http://images.test/a"

    static func date(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    /// Returns a date as an HTTP field value.
    static func text(_ seconds: Double) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .weekday], from: date(seconds))
        let two = { (number: Int?) in number.map { $0 < 10 ? "0\($0)" : "\($0)" } ?? "" }
        let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
            (parts.month ?? 1) - 1]
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][(parts.weekday ?? 1) - 1]
        let time = [parts.hour, parts.minute, parts.second].map(two).joined(separator: ":")
        return "\(weekday), \(two(parts.day)) \(month) \(parts.year ?? 0) \(time) GMT"
    }

    static func response(
        _ headers: HTTPHeaders, status: Int = 200, request: HTTPHeaders = [:], requested: Double = 0,
        received: Double = 0
    ) -> StoredResponse {
        StoredResponse(
            status: status, headers: headers, url: url, request: request, requested: date(requested),
            received: date(received))
    }

    static func response(_ control: String) -> StoredResponse { response(["Cache-Control": control]) }
}

extension StoredResponse {
    func isFresh(at now: Date) -> Bool { staleness(at: now) < 0 }

    /// Whether a request of the URL that responded is conditional.
    var hasValidator: Bool {
        entityTag != nil || fields[.lastModified].flatMap { HTTPDate.parse($0, now: received) } != nil
    }
}
