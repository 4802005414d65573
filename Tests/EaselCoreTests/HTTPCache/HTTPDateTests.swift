import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("HTTP dates (RFC 9110 5.6.7)")
struct HTTPDateTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    /// The example of the RFC.
    private static let example = Date(timeIntervalSince1970: 784_111_777)

    private func parse(_ text: String) -> Double? {
        HTTPDate.parse(text, now: Self.now)?.timeIntervalSince1970
    }

    @Test(
        "the three date formats are parsed",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(text: String) {
        #expect(parse(text) == Self.example.timeIntervalSince1970)
    }

    @Test("a two-digit year more than 50 years ahead is in the past")
    func twoDigits() {
        // The current year is 2026, so 76 is the last year in the future.
        #expect(parse("Wednesday, 01-Jan-76 00:00:00 GMT") == 3_345_062_400)
        #expect(parse("Saturday, 01-Jan-77 00:00:00 GMT") == 220_924_800)
    }

    @Test("a leap day is valid only in a leap year, a leap second always")
    func leaps() {
        #expect(parse("Thu, 29 Feb 2024 00:00:00 GMT") == 1_709_164_800)
        #expect(parse("Wed, 29 Feb 2023 00:00:00 GMT") == nil)
        #expect(parse("Mon, 29 Feb 2100 00:00:00 GMT") == nil)
        #expect(parse("Sat, 31 Dec 2016 23:59:60 GMT") == 1_483_228_800)
        #expect(parse("Mon, 28 Feb 2000 23:59:59 GMT") == 951_782_399)
        #expect(parse("Tue, 29 Feb 2000 00:00:00 GMT") == 951_782_400)
    }

    @Test("the first and the last dates are parsed")
    func ends() {
        #expect(parse("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
        #expect(parse("Thu, 31 Dec 2099 23:59:59 GMT") == 4_102_444_799)
        #expect(parse("Fri, 31 Dec 9999 23:59:59 GMT") == 253_402_300_799)
    }

    @Test(
        "a malformed date is rejected",
        arguments: [
            "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Xxx, 06 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
            "1994-11-06T08:49:37Z", String(repeating: "Sun, ", count: 100_000), "Sun, 06 Nov -994 08:49:37 GMT",
            "Sun, 06 Nov 1994 +8:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
        ])
    func invalid(text: String) {
        #expect(parse(text) == nil)
    }
}
