package import EaselCore

/// The timeouts of an exchange. Takes events with their times, and returns a deadline.
///
/// Waiting for one of the host's connections has no timeout: the connect timeout begins when the transport begins to
/// connect. HTTP clients differ in this: some versions of libcurl count that wait, and the idle timer of libcurl has
/// whole seconds and runs while the reader pauses.
package struct ExchangeTimers {
    /// Does not advance while the machine sleeps.
    package typealias Instant = SuspendingClock.Instant

    private enum Phase {
        case queued
        case connecting(since: Instant)
        case awaitingHead(since: Instant)
        case receiving(lastByte: Instant)
        case paused
    }

    private let timeouts: HTTPTimeouts
    private let started: Instant
    private var phase = Phase.queued

    package init(_ timeouts: HTTPTimeouts, started: Instant) {
        self.timeouts = timeouts
        self.started = started
    }

    /// Records that the transport looks up the name of the host or opens a socket. The first call counts.
    package mutating func didStartConnecting(at now: Instant) {
        if case .queued = phase { phase = .connecting(since: now) }
    }

    /// Records that the connection is ready and the request is sent.
    package mutating func didConnect(at now: Instant) { phase = .awaitingHead(since: now) }

    /// Records that the final head, or bytes of the body, are received.
    package mutating func didReceive(at now: Instant) {
        // A pause that began in this read stays.
        if case .paused = phase { return }
        phase = .receiving(lastByte: now)
    }

    /// Records that the reader is slower than the server. No timeout runs.
    package mutating func didPause() { phase = .paused }

    /// Records that the reader has caught up.
    package mutating func didResume(at now: Instant) { phase = .receiving(lastByte: now) }

    /// The next deadline, and its timeout; `nil` for none.
    package var deadline: (time: Instant, timeout: ImageError.Timeout)? {
        let total = timeouts.total.map { (time: started.advanced(by: $0), timeout: ImageError.Timeout.total) }
        let inPhase: (time: Instant, timeout: ImageError.Timeout)? =
            switch phase {
            case .queued, .paused: nil
            case .connecting(let since), .awaitingHead(let since): (since.advanced(by: timeouts.connect), .connect)
            case .receiving(let lastByte): (lastByte.advanced(by: timeouts.idle), .idle)
            }
        return [total, inPhase].compactMap(\.self).min { $0.time < $1.time }
    }
}
