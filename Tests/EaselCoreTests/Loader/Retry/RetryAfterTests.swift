import Testing

@testable import EaselCore

import EaselFoundation

/// RFC 9110 10.2.3.
@Suite("Retry-After")
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "seconds", arguments: [("0", 0), ("1", 1), ("120", 120), ("007", 7), ("99999999999999999999", 31_536_000)])
    func seconds(text: String, seconds: Int) {
        #expect(RetryAfter.delay(["Retry-After": text], now: now) == .seconds(seconds))
    }

    @Test(
        "a date, in all three forms of HTTP (RFC 9110 5.6.7)",
        arguments: [
            "Sun, 06 Nov 1994 08:49:57 GMT", "Sunday, 06-Nov-94 08:49:57 GMT", "Sun Nov  6 08:49:57 1994",
        ])
    func date(text: String) {
        #expect(RetryAfter.delay(["Retry-After": text], now: now) == .seconds(20))
    }

    @Test("a date is held against the server's own clock where it tells it")
    func serversClock() {
        let headers: HTTPHeaders = [
            "Date": "Tue, 01 Jan 2030 00:00:00 GMT", "Retry-After": "Tue, 01 Jan 2030 00:00:05 GMT",
        ]
        #expect(RetryAfter.delay(headers, now: now) == .seconds(5))
    }

    @Test("a date that is past means now")
    func past() {
        #expect(RetryAfter.delay(["Retry-After": "Sun, 06 Nov 1994 08:49:30 GMT"], now: now) == .zero)
    }

    @Test("what is neither says nothing", arguments: ["", "-1", "+5", "1.5", "soon", "5 seconds", "Sun, 06 Nov 1994"])
    func malformed(text: String) {
        #expect(RetryAfter.delay(["Retry-After": text], now: now) == nil)
    }

    @Test("an answer without it says nothing")
    func absent() {
        #expect(RetryAfter.delay([:], now: now) == nil)
    }
}
