import Testing

@testable import EaselCore

@Suite("Retry policy")
struct RetryPolicyTests {
    @Test("never retries unless asked (B77)")
    func never() {
        #expect(RetryPolicy.never.delay(after: .timedOut(.idle), attempt: 1, jitter: 1) == nil)
    }

    @Test("the wait doubles with each failure, and ends with the last attempt (B77)")
    func exponential() {
        let policy = RetryPolicy.exponential(attempts: 3, first: .milliseconds(200))
        let delays = (1...5).map { policy.delay(after: .status(503), attempt: $0, jitter: 1) }
        #expect(delays == [.milliseconds(200), .milliseconds(400), .milliseconds(800), nil, nil])
    }

    @Test("the wait is a part of its longest, within bounds under a seeded generator (B78)")
    func jitter() {
        let policy = RetryPolicy.exponential(attempts: 10, first: .seconds(1))
        var random = SeededGenerator(seed: 78)
        for attempt in 1...10 {
            let longest = Duration.seconds(1 << (attempt - 1))
            let jitter = Double.random(in: 0...1, using: &random)
            let delay = policy.delay(after: .status(500), attempt: attempt, jitter: jitter)
            #expect(delay.map { $0 >= .zero && $0 <= longest } == true)
            #expect(policy.delay(after: .status(500), attempt: attempt, jitter: 0) == .zero)
            #expect(policy.delay(after: .status(500), attempt: attempt, jitter: 7) == longest)
            #expect(policy.delay(after: .status(500), attempt: attempt, jitter: -7) == .zero)
        }
    }

    @Test("many attempts do not overflow")
    func manyAttempts() throws {
        let policy = RetryPolicy.exponential(attempts: .max, first: .milliseconds(200))
        let late = try #require(policy.delay(after: .timedOut(.idle), attempt: 1_000, jitter: 1))
        #expect(late == policy.delay(after: .timedOut(.idle), attempt: .max, jitter: 1))
        #expect(late > .zero)
    }

    @Test("a negative number of attempts is none")
    func negative() {
        #expect(RetryPolicy.exponential(attempts: -3) == RetryPolicy.exponential(attempts: 0))
        #expect(RetryPolicy.exponential(attempts: -3).delay(after: .status(503), attempt: 1, jitter: 1) == nil)
    }

    @Test(
        "what may pass by itself is tried again",
        arguments: [
            ImageError.unreachable(host: "a", reason: "b"), .timedOut(.connect), .timedOut(.idle), .timedOut(.total),
            .connectionLost(received: 1, expected: 2), .status(408), .status(429), .status(500), .status(502),
            .status(503), .status(504),
        ])
    func mayPass(error: ImageError) {
        #expect(error.mayPass)
        #expect(RetryPolicy.exponential(attempts: 1).delay(after: error, attempt: 1, jitter: 1) != nil)
    }

    @Test(
        "what stays is not: a missing picture, a bad one, a wrong request, a cancelled load (B78)",
        arguments: [
            ImageError.status(404), .status(400), .status(401), .status(403), .status(410), .status(501), .cancelled,
            .badData("a"), .invalidURL("a"), .tooManyRedirects(10), .insecure(host: "a", reason: "b"),
            .tooLarge(.bytes(2, limit: 1)), .invalidResponse("a"), .notCached, .invalidated, .unsupported("a"),
            .unreadable(path: "a", reason: "b"), .unwritable(path: "a", reason: "b"), .blocked(reason: "a"),
        ])
    func stays(error: ImageError) {
        #expect(!error.mayPass)
        #expect(RetryPolicy.exponential(attempts: 1).delay(after: error, attempt: 1, jitter: 1) == nil)
    }
}
