import Testing

@testable import EaselCore

@Suite("Retry budget")
struct RetryBudgetTests {
    @Test("each host has its own, and gets it back with time")
    func hosts() {
        var budget = RetryBudget(RateLimit(burst: 2, perSecond: 1))
        #expect((0..<3).map { _ in budget.take("a", at: .zero) } == [true, true, false])
        #expect(budget.take("b", at: .zero) == true)
        #expect(budget.take("a", at: .milliseconds(999)) == false)
        #expect(budget.take("a", at: .seconds(1)) == true)
        #expect(budget.take("a", at: .seconds(1)) == false)
        #expect((0..<3).map { _ in budget.take("a", at: .seconds(100)) } == [true, true, false])
    }

    @Test("without a rate there is no bound")
    func unbounded() {
        var budget = RetryBudget(nil)
        #expect((0..<1000).allSatisfy { _ in budget.take("a", at: .zero) })
        #expect(budget.hostCount == 0)
    }

    @Test("however many hosts there are, few are remembered, and not those that have their whole budget")
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
