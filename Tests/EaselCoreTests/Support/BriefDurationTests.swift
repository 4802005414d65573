import Testing

@testable import EaselCore

@Suite("Brief duration")
struct BriefDurationTests {
    @Test(
        "whole microseconds are exact, and none is none",
        arguments: [nil, 0, 1, -1, 15_000_000, 3_599_999_999] as [Int?])
    func exact(microseconds: Int?) {
        var brief = BriefDuration()
        brief.duration = microseconds.map { .microseconds($0) }
        #expect(brief.duration == microseconds.map { .microseconds($0) })
    }

    @Test("what is finer loses less than a nanosecond, and what is too long is still long")
    func rounded() throws {
        var brief = BriefDuration()
        brief.duration = .nanoseconds(1_234_567)
        let kept = try #require(brief.duration)
        #expect(abs((kept - .nanoseconds(1_234_567)) / .nanoseconds(1)) < 0.001)
        brief.duration = .seconds(1 << 60)
        #expect(try #require(brief.duration) > .seconds(36_000))
    }
}
