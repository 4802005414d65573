import Testing

@testable import EaselCodecs

@Suite("Incremental: search throttle")
struct SearchThrottleTests {
    @Test("a file that arrives byte by byte is parsed a few times for each doubling")
    func searches() {
        var throttle = SearchThrottle()
        let searches = (1...100_000).filter { throttle.shouldSearch($0) }
        #expect(searches.count < 250)
        #expect(searches.reduce(0, +) < 20 * 100_000)
        #expect(Array(searches.prefix(16)) == Array(1...16))
    }

    @Test("a request for a preview parses all new bytes")
    func forced() {
        var throttle = SearchThrottle()
        let hasGrown = [1000, 1001, 1001, 1002].map { throttle.recordGrowth(to: $0) }
        #expect(hasGrown == [true, true, false, true])
    }
}
