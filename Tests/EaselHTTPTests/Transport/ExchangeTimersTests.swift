import EaselCore
import Testing

@testable import EaselTransport

@Suite("Exchange timers")
struct ExchangeTimersTests {
    private let start = SuspendingClock().now
    private let timeouts = HTTPTimeouts(connect: .seconds(3), idle: .seconds(5))

    private func after(_ seconds: Int) -> SuspendingClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test("While the exchange waits for a connection, only the total timeout runs")
    func queued() {
        #expect(ExchangeTimers(timeouts, started: start).deadline == nil)
        let bounded = ExchangeTimers(HTTPTimeouts(total: .seconds(9)), started: start)
        #expect(bounded.deadline?.time == after(9))
        #expect(bounded.deadline?.timeout == .total)
    }

    @Test("The connect timeout counts from the first lookup or socket")
    func connecting() {
        var timers = ExchangeTimers(timeouts, started: start)
        timers.didStartConnecting(at: after(10))
        timers.didStartConnecting(at: after(11))
        #expect(timers.deadline?.time == after(13))
        #expect(timers.deadline?.timeout == .connect)
    }

    @Test("A socket that opens after the request was sent does not restart the connect timeout")
    func laterSocket() {
        var timers = ExchangeTimers(timeouts, started: start)
        timers.didConnect(at: after(1))
        timers.didStartConnecting(at: after(2))
        #expect(timers.deadline?.time == after(4))
    }

    @Test("The connect timeout restarts for the head when the request is sent")
    func head() {
        var timers = ExchangeTimers(timeouts, started: start)
        timers.didConnect(at: after(2))
        #expect(timers.deadline?.time == after(5))
        #expect(timers.deadline?.timeout == .connect)
    }

    @Test("After the head, each byte extends the idle deadline")
    func idle() {
        var timers = ExchangeTimers(timeouts, started: start)
        timers.didConnect(at: after(0))
        timers.didReceive(at: after(1))
        #expect(timers.deadline?.time == after(6))
        timers.didReceive(at: after(4))
        #expect(timers.deadline?.time == after(9))
        #expect(timers.deadline?.timeout == .idle)
    }

    @Test("A pause stops the idle timeout, and resuming restarts it")
    func pause() {
        var timers = ExchangeTimers(timeouts, started: start)
        timers.didReceive(at: after(1))
        timers.didPause()
        #expect(timers.deadline == nil)
        timers.didResume(at: after(100))
        #expect(timers.deadline?.time == after(105))
    }

    @Test("Bytes from the read before a pause do not restart the idle timeout")
    func bytesWhilePaused() {
        var timers = ExchangeTimers(timeouts, started: start)
        timers.didReceive(at: after(1))
        timers.didPause()
        timers.didReceive(at: after(1))
        #expect(timers.deadline == nil)
    }

    @Test("The total timeout counts from the start, pauses included, and applies if it ends first")
    func total() {
        var timeouts = timeouts
        timeouts.total = .seconds(7)
        var timers = ExchangeTimers(timeouts, started: start)
        timers.didReceive(at: after(1))
        #expect(timers.deadline?.timeout == .idle)
        timers.didReceive(at: after(4))
        #expect(timers.deadline?.timeout == .total)
        timers.didPause()
        #expect(timers.deadline?.time == after(7))
    }
}
