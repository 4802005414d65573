#if Server
import Testing

@testable import EaselServerTiers

@Suite("Steps of shared work")
struct FlightStateTests {
    private var state = FlightState(.init(bound: .milliseconds(100)), at: .seconds(5))
    private let lease = Lease(key: SharedKey("a"), token: "t", duration: .seconds(2))

    @Test("a node with the lease looks again before it produces")
    mutating func leads() {
        #expect(state.first == .acquire)
        #expect(state.didAcquire(lease, at: .seconds(5)) == .lookUp(everywhere: false))
        #expect(state.didLookUp(found: false) == .produce(lease))
    }

    @Test("a node with the lease that finds the result ends the lease")
    mutating func alreadyDone() {
        _ = state.didAcquire(lease, at: .seconds(5))
        #expect(state.didLookUp(found: true) == .finish(releasing: lease))
    }

    @Test("a node without the lease waits, looks, and tries again, with growing pauses")
    mutating func waits() {
        #expect(state.didAcquire(nil, at: .seconds(5)) == .wait(.milliseconds(10)))
        #expect(state.didWait() == .lookUp(everywhere: false))
        #expect(state.didLookUp(found: false) == .acquire)
        #expect(state.didAcquire(nil, at: .seconds(5)) == .wait(.milliseconds(20)))
        _ = state.didWait()
        #expect(state.didLookUp(found: true) == .finish(releasing: nil))
    }

    @Test("a node that gets the lease of another looks for its result in all tiers")
    mutating func takesOver() {
        _ = state.didAcquire(nil, at: .seconds(5))
        _ = state.didWait()
        #expect(state.didLookUp(found: false) == .acquire)
        #expect(state.didAcquire(lease, at: .seconds(5)) == .lookUp(everywhere: true))
        #expect(state.didLookUp(found: false) == .produce(lease))
    }

    @Test("pauses end at the bound, after which a node produces without a lease")
    mutating func bound() {
        #expect(state.didAcquire(nil, at: .milliseconds(5095)) == .wait(.milliseconds(5)))
        #expect(state.didAcquire(nil, at: .milliseconds(5100)) == .produce(nil))
    }

    @Test("a node that cannot reach the leases produces")
    mutating func noLeases() { #expect(state.didFailToAcquire() == .produce(nil)) }

    @Test("the longest pause is 100 ms")
    mutating func longestPause() {
        var state = FlightState(.init(bound: .seconds(60)), at: .zero)
        for _ in 0..<10 { _ = state.didAcquire(nil, at: .zero) }
        #expect(state.didAcquire(nil, at: .zero) == .wait(.milliseconds(100)))
    }
}
#endif
