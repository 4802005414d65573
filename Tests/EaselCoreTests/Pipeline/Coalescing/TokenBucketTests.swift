import Testing

@testable import EaselCore

@Suite("Token bucket")
struct TokenBucketTests {
    @Test("a burst passes at once, and later takes are spaced (B72)")
    func burst() {
        var bucket = TokenBucket(RateLimit(burst: 3, perSecond: 2))
        #expect((0..<4).map { _ in bucket.take(at: .zero) } == [true, true, true, false])
        #expect(bucket.delay(at: .zero) == .milliseconds(500))
        #expect(bucket.take(at: .milliseconds(499)) == false)
        #expect(bucket.take(at: .milliseconds(500)) == true)
        #expect(bucket.delay(at: .milliseconds(600)) == .milliseconds(400))
    }

    @Test("an idle bucket refills up to its burst")
    func refillWhenIdle() {
        var bucket = TokenBucket(RateLimit(burst: 3, perSecond: 2))
        for _ in 0..<3 { #expect(bucket.take(at: .zero) == true) }
        #expect((0...4).map { bucket.availableTokens(at: .milliseconds(500 * $0)) } == [0, 1, 2, 3, 3])
        #expect(bucket.availableTokens(at: .seconds(1_000_000)) == 3)
        #expect(bucket.isFull(at: .milliseconds(1500)) && !bucket.isFull(at: .milliseconds(1499)))
    }

    @Test(
        "a token is available after the returned wait, without rounding loss", arguments: [0.3, 3, 7, 999, 1e6])
    func exact(perSecond: Double) {
        var bucket = TokenBucket(RateLimit(burst: 1, perSecond: perSecond))
        var now = Duration.zero
        for _ in 0..<200 {
            #expect(bucket.take(at: now) == true)
            #expect(bucket.take(at: now) == false)
            now += bucket.delay(at: now)
        }
    }

    @Test("the long-term rate does not depend on how often tokens are taken")
    func longRun() {
        var bucket = TokenBucket(RateLimit(burst: 5, perSecond: 10))
        let taken = (0..<20_000).count { bucket.take(at: .milliseconds($0)) }
        #expect(taken == 5 + 199)
    }

    @Test("an invalid rate still gives tokens", arguments: [0, -3, Double.nan, .infinity])
    func senseless(perSecond: Double) {
        var bucket = TokenBucket(RateLimit(burst: -1, perSecond: perSecond))
        #expect(bucket.take(at: .zero) == true)
        #expect(bucket.delay(at: .zero) > .zero)
        #expect(bucket.delay(at: .zero) <= .seconds(1000))
    }
}
