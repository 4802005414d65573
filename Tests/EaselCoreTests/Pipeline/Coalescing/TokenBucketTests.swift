import Testing

@testable import EaselCore

@Suite("Token bucket")
struct TokenBucketTests {
    @Test("a burst passes at once, and what is over is spaced (B72)")
    func burst() {
        var bucket = TokenBucket(RateLimit(burst: 3, perSecond: 2))
        #expect((0..<4).map { _ in bucket.take(at: .zero) } == [true, true, true, false])
        #expect(bucket.wait(at: .zero) == .milliseconds(500))
        #expect(bucket.take(at: .milliseconds(499)) == false)
        #expect(bucket.take(at: .milliseconds(500)) == true)
        #expect(bucket.wait(at: .milliseconds(600)) == .milliseconds(400))
    }

    @Test("a rest fills it, but not over its brim")
    func rest() {
        var bucket = TokenBucket(RateLimit(burst: 3, perSecond: 2))
        for _ in 0..<3 { #expect(bucket.take(at: .zero) == true) }
        #expect((0...4).map { bucket.count(at: .milliseconds(500 * $0)) } == [0, 1, 2, 3, 3])
        #expect(bucket.count(at: .seconds(1_000_000)) == 3)
        #expect(bucket.isFull(at: .milliseconds(1500)) && !bucket.isFull(at: .milliseconds(1499)))
    }

    @Test(
        "who waits as long as it is told has its token: nothing is lost to rounding", arguments: [0.3, 3, 7, 999, 1e6])
    func exact(perSecond: Double) {
        var bucket = TokenBucket(RateLimit(burst: 1, perSecond: perSecond))
        var now = Duration.zero
        for _ in 0..<200 {
            #expect(bucket.take(at: now) == true)
            #expect(bucket.take(at: now) == false)
            now += bucket.wait(at: now)
        }
    }

    @Test("in the long run it gives its rate, whoever asks how often")
    func longRun() {
        var bucket = TokenBucket(RateLimit(burst: 5, perSecond: 10))
        let taken = (0..<20_000).count { bucket.take(at: .milliseconds($0)) }
        #expect(taken == 5 + 199)
    }

    @Test("a rate of nothing still gives something", arguments: [0, -3, Double.nan, .infinity])
    func senseless(perSecond: Double) {
        var bucket = TokenBucket(RateLimit(burst: -1, perSecond: perSecond))
        #expect(bucket.take(at: .zero) == true)
        #expect(bucket.wait(at: .zero) > .zero)
        #expect(bucket.wait(at: .zero) <= .seconds(1000))
    }
}
