/// When an exchange has taken too long. Takes events with their time and answers with a deadline; reads no clock.
///
/// The time to connect (name, host and TLS) is left to who connects: only there is it known when a transfer stops waiting
/// in line for one of the host's connections, and that wait is nobody's fault. The idle timers of HTTP clients are not
/// used: libcurl's has whole seconds only, and runs on while the reader rests.
package struct ExchangeTimers {
    /// Time that stands still while the machine sleeps, so that a lid that opens again finds downloads alive.
    package typealias Instant = SuspendingClock.Instant

    private enum Phase {
        case connecting
        case awaitingHead(since: Instant)
        case receiving(lastByte: Instant)
        case paused
    }

    private let timeouts: HTTPTimeouts
    private let started: Instant
    private var phase = Phase.connecting

    /// Nothing is counted but the whole.
    package init(_ timeouts: HTTPTimeouts, started: Instant) {
        self.timeouts = timeouts
        self.started = started
    }

    /// The connection is ready and the request is on its way.
    package mutating func connected(at now: Instant) { phase = .awaitingHead(since: now) }

    /// The final head is there, or bytes of the body.
    package mutating func received(at now: Instant) {
        // A pause that began in this very read stays.
        if case .paused = phase { return }
        phase = .receiving(lastByte: now)
    }

    /// The reader is behind: from now on the silence is ours.
    package mutating func paused() { phase = .paused }

    /// The reader has caught up.
    package mutating func resumed(at now: Instant) { phase = .receiving(lastByte: now) }

    /// The next time to look, and what has taken too long then; `nil` for never.
    package var deadline: (time: Instant, timeout: ImageError.Timeout)? {
        let total = timeouts.total.map { (time: started.advanced(by: $0), timeout: ImageError.Timeout.total) }
        let inPhase: (time: Instant, timeout: ImageError.Timeout)? =
            switch phase {
            case .connecting, .paused: nil
            case .awaitingHead(let since): (since.advanced(by: timeouts.connect), .connect)
            case .receiving(let lastByte): (lastByte.advanced(by: timeouts.idle), .idle)
            }
        guard let total, let inPhase else { return total ?? inPhase }
        return total.time <= inPhase.time ? total : inPhase
    }
}
