/// The timeouts of an exchange. Takes events with their time and returns a deadline; reads no clock.
///
/// The wait for one of the host's connections has no timeout of its own: the time to connect counts from the moment at which
/// the transport begins to connect. The timers of HTTP clients are not used: libcurl counts that wait, or not, depending on
/// its version, and its idle timer has whole seconds only and runs while the reader pauses.
package struct ExchangeTimers {
    /// Time that stands still while the machine sleeps, so that a lid that opens again finds downloads alive.
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

    /// Nothing is counted but the whole.
    package init(_ timeouts: HTTPTimeouts, started: Instant) {
        self.timeouts = timeouts
        self.started = started
    }

    /// The transport looks up the host's name or opens a socket, the first of which counts.
    package mutating func connecting(at now: Instant) {
        if case .queued = phase { phase = .connecting(since: now) }
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
            case .queued, .paused: nil
            case .connecting(let since), .awaitingHead(let since): (since.advanced(by: timeouts.connect), .connect)
            case .receiving(let lastByte): (lastByte.advanced(by: timeouts.idle), .idle)
            }
        guard let total, let inPhase else { return total ?? inPhase }
        return total.time <= inPhase.time ? total : inPhase
    }
}
