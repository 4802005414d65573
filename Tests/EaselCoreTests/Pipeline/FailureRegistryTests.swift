import EaselTesting
import Testing

@testable import EaselCore

@Suite("Failure registry (R009)")
struct FailureRegistryTests {
    private var registry = FailureRegistry<String>()

    @Test("a permanent failure blocks its key, with the reason, until it expires")
    mutating func expires() {
        registry.record(.status(404), for: "a", at: .seconds(10))
        let reason = registry.blockingError(for: "a", at: .seconds(10))
        #expect(reason == .blocked(by: .status(404)))
        #expect(registry.blockingError(for: "a", at: .milliseconds(69_999)) != nil)
        #expect(registry.blockingError(for: "a", at: .seconds(70)) == nil)
        #expect(registry.blockingError(for: "b", at: .seconds(10)) == nil)
    }

    @Test("a later failure counts from its own time")
    mutating func renewed() {
        registry.record(.status(404), for: "a", at: .seconds(10))
        registry.record(.status(410), for: "a", at: .seconds(50))
        #expect(
            registry.blockingError(for: "a", at: .seconds(109)) == .blocked(by: .status(410)))
    }

    @Test(
        "permanent errors are recorded",
        arguments: [ImageError.status(404), .status(410), .badData("No image."), .tooManyRedirects(10)])
    func noted(error: ImageError) {
        var registry = registry
        registry.record(error, for: "a", at: .zero)
        #expect(registry.blockingError(for: "a", at: .seconds(1)) != nil)
    }

    @Test(
        "temporary errors, errors of one request and errors of local files are not recorded (S073, X048, X049)",
        arguments: [
            ImageError.cancelled, .timedOut(.connect), .unreachable(host: "a", reason: "b"), .notCached, .invalidated,
            .connectionLost(received: 1, expected: 2), .status(500), .status(503), .status(429), .status(401),
            .status(403),
            .tooLarge(.bytes(2, limit: 1)), .unreadable(path: "a", reason: "b"), .insecure(host: "a", reason: "b"),
            .blocked(by: .status(404)), .unsupported("a"), .unwritable(path: "a", reason: "b"),
        ])
    func notNoted(error: ImageError) {
        var registry = registry
        registry.record(error, for: "a", at: .zero)
        #expect(registry.blockingError(for: "a", at: .zero) == nil)
    }

    @Test("only four kinds of error block a URL (R009, S074, X049)")
    func policies() {
        let all: [ImageError] = [
            .invalidURL(""), .badData(""), .blocked(by: .status(404)), .invalidRequest(""), .status(404),
            .status(410), .status(400), .status(500), .cancelled, .invalidResponse(""), .contentType(""),
            .unreachable(host: "", reason: ""), .timedOut(.connect), .timedOut(.idle), .timedOut(.total),
            .insecure(host: "", reason: ""), .connectionLost(received: 0, expected: nil), .tooManyRedirects(1),
            .tooLarge(.bytes(1, limit: 0)), .tooLarge(.frames(1, limit: 0)), .notCached,
            .unreadable(path: "", reason: ""), .unwritable(path: "", reason: ""), .unsupported(""), .invalidated,
            .forbiddenAddress(host: "", reason: ""),
        ]
        let blocking = all.filter { $0.blockingTime != nil }
        #expect(blocking == [.badData(""), .status(404), .status(410), .tooManyRedirects(1)])
        #expect(blocking.allSatisfy { $0.blockingTime == .seconds(60) })
        #expect(Set(all.map(\.code)).count == 20)
    }

    @Test("one failure, or all, can be removed")
    mutating func forgets() {
        for key in ["a", "b", "c"] { registry.record(.status(404), for: key, at: .zero) }
        registry.forget("a")
        #expect(registry.blockingError(for: "a", at: .zero) == nil)
        #expect(registry.blockingError(for: "b", at: .zero) != nil)
        registry.forgetAll()
        #expect(
            registry.blockingError(for: "b", at: .zero) == nil && registry.blockingError(for: "c", at: .zero) == nil)
    }

    @Test("the number of failures is limited, and the latest is always kept")
    mutating func bounded() {
        for number in 0..<10_000 {
            registry.record(.status(404), for: "\(number)", at: .zero)
            #expect(registry.blockingError(for: "\(number)", at: .zero) != nil)
        }
        let known = (0..<10_000).filter { registry.blockingError(for: "\($0)", at: .zero) != nil }
        #expect(known.count <= 4_096)
    }

    @Test("retryFailed passes (S077), and each identity has separate failures (B26)")
    func requests() throws {
        let clock = ManualClock()
        let failures = Failures(now: { clock.now.offset })
        let request = try DownloaderFixture.request("http://user:secret@images.test/a")
        failures.record(.status(404), for: request)
        #expect {
            try failures.check(request)
        } throws: { error in
            (error as? ImageError)?.code == .blocked && !"\(error)".contains("secret")
        }
        try failures.check(request.adding(.retryFailed))
        var other = request
        other.http.headers = ["Authorization": "Bearer 1"]
        try failures.check(other)
        failures.forget(request)
        try failures.check(request)
        failures.record(.status(404), for: request)
        clock.advance(by: .seconds(60))
        try failures.check(request)
    }
}

extension FailureRegistry {
    /// Records a failure for the blocking time of its kind.
    fileprivate mutating func record(_ error: ImageError, for key: Key, at now: Duration) {
        if let time = error.blockingTime { record(error, for: key, lasting: time, at: now) }
    }
}
