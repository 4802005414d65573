#if Server
import Testing

@testable import EaselServer

struct ConnectionStateTests {
    private let timeouts = ConnectionTimeouts(head: .seconds(10), idle: .seconds(75), write: .seconds(30))

    @Test func `The first head has to be complete in time`() {
        let state = ConnectionState(timeouts: timeouts, now: .seconds(5))
        #expect(state.deadline == .seconds(15))
    }

    @Test func `A request in work has no limit of the connection`() {
        var state = ConnectionState(timeouts: timeouts, now: .zero)
        state.receiveHead()
        #expect(state.deadline == nil)
    }

    @Test func `After a response the next head has more time`() {
        var state = ConnectionState(timeouts: timeouts, now: .zero)
        state.receiveHead()
        state.endResponse(now: .seconds(100))
        #expect(state.deadline == .seconds(175))
    }

    @Test func `A response that is not read ends the connection`() {
        var state = ConnectionState(timeouts: timeouts, now: .zero)
        state.receiveHead()
        state.beginWrite(now: .seconds(1))
        state.beginWrite(now: .seconds(2))
        state.endResponse(now: .seconds(2))
        #expect(state.deadline == .seconds(31))
        state.endWrite(now: .seconds(20))
        #expect(state.deadline == .seconds(50))
        state.endWrite(now: .seconds(40))
        #expect(state.deadline == .seconds(115))
    }

    @Test func `A connection is quiet when the system has accepted all responses`() {
        var state = ConnectionState(timeouts: timeouts, now: .zero)
        #expect(state.isQuiet)
        state.receiveHead()
        state.beginWrite(now: .zero)
        state.endResponse(now: .zero)
        #expect(!state.isQuiet)
        state.endWrite(now: .zero)
        #expect(state.isQuiet)
    }

    @Test func `Pipelined requests count one by one`() {
        var state = ConnectionState(timeouts: timeouts, now: .zero)
        state.receiveHead()
        state.receiveHead()
        state.endResponse(now: .seconds(1))
        #expect(state.deadline == nil)
        state.endResponse(now: .seconds(2))
        #expect(state.deadline == .seconds(77))
    }
}
#endif
