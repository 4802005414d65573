import Testing

@testable import EaselCodecs

@Suite("Incremental: growth")
struct SearchThrottleTests {
    @Test("a file that arrives byte by byte is parsed a few times for each doubling")
    func looks() {
        var throttle = SearchThrottle()
        let looks = (1...100_000).filter { throttle.shouldSearch($0) }
        #expect(looks.count < 250)
        #expect(looks.reduce(0, +) < 20 * 100_000)
        #expect(Array(looks.prefix(16)) == Array(1...16))
    }

    @Test("a request for a preview parses all new bytes")
    func forced() {
        var throttle = SearchThrottle()
        let answers = [1000, 1001, 1001, 1002].map { throttle.recordGrowth(to: $0) }
        #expect(answers == [true, true, false, true])
    }
}
