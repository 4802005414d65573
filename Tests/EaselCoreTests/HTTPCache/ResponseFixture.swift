import EaselCore
import FoundationEssentials

@testable import EaselCore

/// Answers whose times are seconds on a clock that starts at `start`.
enum ResponseFixture {
    static let start = Date(timeIntervalSince1970: 1_790_000_000)
    static let url = "http://images.test/a"

    static func date(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }
    static func text(_ seconds: Double) -> String { HTTPDate.text(date(seconds)) }

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
