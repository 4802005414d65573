#if Server
import Testing

@testable import EaselServerTiers

@Suite("Circuit breaker")
struct CircuitBreakerTests {
    private var breaker = CircuitBreaker(.init())

    private mutating func fail(_ count: Int) -> CircuitBreaker.Action? {
        var action: CircuitBreaker.Action?
        for _ in 0..<count {
            guard let period = breaker.admit() else { return action }
            action = breaker.record(isFailure: true, in: period)
        }
        return action
    }

    private mutating func succeed(_ count: Int) {
        for _ in 0..<count {
            guard let period = breaker.admit() else { return }
            _ = breaker.record(isFailure: false, in: period)
        }
    }

    @Test("five failures among the last 20 calls open it")
    mutating func opens() {
        #expect(fail(4) == nil)
        succeed(15)
        #expect(breaker.admit() != nil)
        #expect(fail(1) == .ping(after: .milliseconds(100)))
        #expect(breaker.isOpen && breaker.admit() == nil)
    }

    @Test("failures before the last 20 calls do not count")
    mutating func window() {
        _ = fail(4)
        succeed(17)
        #expect(fail(1) == nil)
        #expect(!breaker.isOpen)
    }

    @Test("a ping that succeeds closes it, and one that fails is repeated after a longer pause")
    mutating func pings() {
        _ = fail(5)
        var delays: [Duration] = []
        for _ in 0..<5 {
            guard case .ping(let delay) = breaker.didPing(isFailure: true) else { continue }
            delays.append(delay)
        }
        #expect(delays == [200, 400, 800, 1000, 1000].map { .milliseconds($0) })
        #expect(breaker.didPing(isFailure: false) == nil)
        #expect(!breaker.isOpen)
    }

    @Test("after it closed, the earlier failures do not count")
    mutating func closes() {
        _ = fail(5)
        _ = breaker.didPing(isFailure: false)
        #expect(fail(4) == nil)
        #expect(!breaker.isOpen)
    }

    @Test("a call from before the last closing does not count")
    mutating func lateOutcome() throws {
        let period = try #require(breaker.admit())
        _ = fail(5)
        for _ in 0..<9 { #expect(breaker.record(isFailure: true, in: period) == nil) }
        _ = breaker.didPing(isFailure: false)
        for _ in 0..<9 { #expect(breaker.record(isFailure: true, in: period) == nil) }
        #expect(!breaker.isOpen)
    }

    @Test("a breaker that opens again soon waits longer, and one that worked for 20 calls does not")
    mutating func reopens() {
        _ = fail(5)
        _ = breaker.didPing(isFailure: false)
        #expect(fail(5) == .ping(after: .milliseconds(200)))
        _ = breaker.didPing(isFailure: false)
        succeed(20)
        #expect(fail(5) == .ping(after: .milliseconds(100)))
    }

    @Test("a late ping has no effect on a closed breaker")
    mutating func latePing() {
        #expect(breaker.didPing(isFailure: true) == nil)
        #expect(!breaker.isOpen)
    }
}
#endif
