import EaselTesting
import Testing
import EaselFoundation

@testable import EaselCore

@Suite("Retry policy")
struct RetryPolicyTests {
    @Test("the default policy never retries (B77)")
    func never() {
        #expect(RetryPolicy.none.delay(.timedOut(.idle), 1) == nil)
        #expect(ImageRequest(.init(fileURLWithPath: "/a")).retry == .none)
    }

    @Test("the delay doubles with each failure up to the last attempt (B77)")
    func exponential() {
        let policy = RetryPolicy.exponential(attempts: 3, first: .milliseconds(200))
        let delays = (1...5).map { policy.delay(.status(503), $0) }
        #expect(delays == [.milliseconds(200), .milliseconds(400), .milliseconds(800), nil, nil])
        #expect(RetryPolicy.exponential(attempts: 3) == policy)
    }

    @Test("the delay with jitter stays within its bounds under a seeded generator (B78)")
    func jitter() {
        let policy = RetryPolicy.exponential(attempts: 10, first: .seconds(1))
        var random = SeededGenerator(seed: 78)
        for attempt in 1...10 {
            let longest = min(policy.longest, Duration.seconds(1 << (attempt - 1)))
            let jitter = Double.random(in: 0...1, using: &random)
            let delay = policy.delay(.status(500), attempt, jitter: jitter)
            #expect(delay.map { $0 >= .zero && $0 <= longest } == true)
            #expect(policy.delay(.status(500), attempt, jitter: 0) == .zero)
            #expect(policy.delay(.status(500), attempt, jitter: 7) == longest)
            #expect(policy.delay(.status(500), attempt, jitter: -7) == .zero)
        }
    }

    @Test("full jitter scales the whole delay")
    func fullJitter() {
        let policy = RetryPolicy.exponential(attempts: 1, first: .seconds(4))
        #expect(policy.delay(.status(500), 1, jitter: 0.5) == .seconds(2))
        #expect(policy.delay(.status(500), 1, jitter: 0.25) == .seconds(1))
    }

    @Test("many attempts do not overflow and do not exceed the longest delay")
    func manyAttempts() {
        var policy = RetryPolicy.exponential(attempts: .max, first: .milliseconds(200))
        #expect(policy.delay(.timedOut(.idle), 1_000) == .seconds(30))
        #expect(policy.delay(.timedOut(.idle), .max) == .seconds(30))
        policy.longest = .milliseconds(300)
        #expect(policy.delay(.timedOut(.idle), 5) == .milliseconds(300))
    }

    @Test("a negative number of attempts counts as 0")
    func negative() {
        #expect(RetryPolicy.exponential(attempts: -3) == RetryPolicy.exponential(attempts: 0))
        #expect(RetryPolicy.exponential(attempts: -3).delay(.status(503), 1) == nil)
    }

    @Test("Retry-After sets the delay and does not prevent a retry (B78)")
    func retryAfter() {
        let policy = RetryPolicy.exponential(attempts: 2, first: .milliseconds(200))
        #expect(policy.delay(.status(503), 1, retryAfter: .seconds(7)) == .seconds(7))
        #expect(policy.delay(.status(429), 1, jitter: 0, retryAfter: .seconds(7)) == .seconds(7))
        #expect(policy.delay(.status(503), 1, retryAfter: .seconds(60)) == .seconds(60))
        // "Retry-After: 0" still has a delay, so that clients do not retry all at once.
        #expect(policy.delay(.status(503), 1, retryAfter: .zero) == .milliseconds(200))
    }

    @Test("a Retry-After over the longest accepted one prevents a retry")
    func longRetryAfter() {
        var policy = RetryPolicy.exponential(attempts: 2)
        #expect(policy.delay(.status(503), 1, retryAfter: .seconds(61)) == nil)
        policy.longestRetryAfter = .seconds(100)
        #expect(policy.delay(.status(503), 1, retryAfter: .seconds(61)) == .seconds(61))
    }

    @Test("Retry-After does not make a permanent error retryable")
    func retryAfterOfNoUse() {
        let policy = RetryPolicy.exponential(attempts: 2)
        #expect(policy.delay(.status(404), 1, retryAfter: .seconds(1)) == nil)
        #expect(policy.delay(.status(503), 3, retryAfter: .seconds(1)) == nil)
    }

    @Test(
        "a temporary error is retried",
        arguments: [
            ImageError.unreachable(host: "a", reason: "b"), .timedOut(.connect), .timedOut(.idle), .timedOut(.total),
            .connectionLost(received: 1, expected: 2), .status(408), .status(429), .status(500), .status(502),
            .status(503), .status(504),
        ])
    func mayPass(error: ImageError) {
        #expect(error.isTemporary)
        #expect(RetryPolicy.exponential(attempts: 1).delay(error, 1) != nil)
    }

    private static let permanent: [ImageError] = [
        .status(404), .status(400), .status(401), .status(403), .status(410), .status(501), .cancelled, .badData("a"),
        .invalidURL("a"), .tooManyRedirects(10), .insecure(host: "a", reason: "b"), .tooLarge(.bytes(2, limit: 1)),
        .invalidResponse("a"), .notCached, .invalidated, .unsupported("a"), .unreadable(path: "a", reason: "b"),
        .unwritable(path: "a", reason: "b"), .blocked(by: .status(404)), .invalidRequest("a"), .contentType("a"),
        .forbiddenAddress(host: "a", reason: "b"),
    ]

    @Test(
        "a permanent error is not retried: a missing or bad image, a wrong request, a cancelled load (B78)",
        arguments: permanent)
    func stays(error: ImageError) {
        #expect(!error.isTemporary)
        #expect(RetryPolicy.exponential(attempts: 1).delay(error, 1) == nil)
    }

    @Test("a custom strategy receives the failure and returns the delay, or nil for no retry (B77)")
    func custom() {
        let policy = RetryPolicy.custom("by attempt") { failure in
            failure.attempt > 2 ? nil : failure.retryAfter ?? .seconds(failure.attempt)
        }
        #expect(policy.delay(.status(404), 1) == .seconds(1))
        #expect(policy.delay(.status(404), 2) == .seconds(2))
        #expect(policy.delay(.status(503), 2, retryAfter: .seconds(90)) == .seconds(90))
        #expect(policy.delay(.status(404), 3) == nil)
        #expect(RetryPolicy.custom("past") { _ in .seconds(-1) }.delay(.status(500), 1) == .zero)
    }

    @Test(
        "a custom strategy is not called for an error that no server can resolve",
        arguments: [
            ImageError.cancelled, .invalidated, .invalidURL("a"), .invalidRequest("a"), .unsupported("a"),
            .forbiddenAddress(host: "a", reason: "b"), .tooLarge(.bytes(2, limit: 1)), .notCached,
        ])
    func customOfNoUse(error: ImageError) {
        #expect(RetryPolicy.custom("always") { _ in .zero }.delay(error, 1) == nil)
    }

    @Test("policies are equal by their values, and custom strategies by their names")
    func equality() {
        let named = RetryPolicy.custom("a") { _ in nil }
        #expect(named == .custom("a") { _ in .zero })
        #expect(named != .custom("b") { _ in nil })
        #expect(named != .none)
        #expect(RetryPolicy.exponential(attempts: 2) != .exponential(attempts: 3))
    }
}

extension RetryPolicy {
    fileprivate func delay(
        _ error: ImageError, _ attempt: Int, jitter: Double = 1, retryAfter: Duration? = nil
    ) -> Duration? {
        delay(after: RetryFailure(error: error, attempt: attempt, retryAfter: retryAfter), jitter: jitter)
    }
}

/// RFC 9110 10.2.3.
@Suite("Retry-After")
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "a number of seconds is parsed",
        arguments: [("0", 0), ("1", 1), ("120", 120), ("007", 7), ("99999999999999999999", 31_536_000)])
    func seconds(text: String, seconds: Int) {
        #expect(RetryAfter.delay(["Retry-After": text], now: now) == .seconds(seconds))
    }

    @Test(
        "a date is parsed in all three HTTP formats (RFC 9110 5.6.7)",
        arguments: [
            "Sun, 06 Nov 1994 08:49:57 GMT", "Sunday, 06-Nov-94 08:49:57 GMT", "Sun Nov  6 08:49:57 1994",
        ])
    func date(text: String) {
        #expect(RetryAfter.delay(["Retry-After": text], now: now) == .seconds(20))
    }

    @Test("a date is compared with the server's clock if the response has a Date field")
    func serversClock() {
        let headers: HTTPHeaders = [
            "Date": "Tue, 01 Jan 2030 00:00:00 GMT", "Retry-After": "Tue, 01 Jan 2030 00:00:05 GMT",
        ]
        #expect(RetryAfter.delay(headers, now: now) == .seconds(5))
    }

    @Test("a date in the past gives no delay")
    func past() {
        #expect(RetryAfter.delay(["Retry-After": "Sun, 06 Nov 1994 08:49:30 GMT"], now: now) == .zero)
    }

    @Test("a malformed field is ignored", arguments: ["", "-1", "+5", "1.5", "soon", "5 seconds", "Sun, 06 Nov 1994"])
    func malformed(text: String) {
        #expect(RetryAfter.delay(["Retry-After": text], now: now) == nil)
    }

    @Test("a response without the field has no delay")
    func absent() {
        #expect(RetryAfter.delay([:], now: now) == nil)
    }
}

@Suite("Retry budget")
struct RetryBudgetTests {
    @Test("each host has its own budget, which refills over time")
    func hosts() {
        var budget = RetryBudget(RateLimit(burst: 2, perSecond: 1))
        #expect((0..<3).map { _ in budget.take("a", at: .zero) } == [true, true, false])
        #expect(budget.take("b", at: .zero) == true)
        #expect(budget.take("a", at: .milliseconds(999)) == false)
        #expect(budget.take("a", at: .seconds(1)) == true)
        #expect(budget.take("a", at: .seconds(1)) == false)
        #expect((0..<3).map { _ in budget.take("a", at: .seconds(100)) } == [true, true, false])
    }

    @Test("without a rate the budget is unlimited")
    func unbounded() {
        var budget = RetryBudget(nil)
        #expect((0..<1000).allSatisfy { _ in budget.take("a", at: .zero) })
        #expect(budget.hostCount == 0)
    }

    @Test("the number of stored hosts is limited, and hosts with a full budget are removed")
    func memory() {
        var budget = RetryBudget(RateLimit(burst: 2, perSecond: 1))
        #expect((0..<3000).allSatisfy { budget.take("host \($0)", at: .zero) })
        #expect(budget.hostCount <= 256)
        var other = RetryBudget(RateLimit(burst: 1, perSecond: 0.01))
        #expect(other.take("tired", at: .seconds(99)) == true)
        for number in 0..<255 { #expect(other.take("host \(number)", at: .zero) == true) }
        #expect(other.take("one more", at: .seconds(100)) == true)
        #expect(other.take("tired", at: .seconds(100)) == false)
        #expect(other.hostCount == 2)
    }
}
