#if Server
import EaselCore
import EaselFoundation
import Synchronization

/// The counts of a server, as the text format of Prometheus shows them.
///
/// Labels are statuses, codes, formats and names of tiers, never URLs, so that their number is bounded. swift-metrics
/// is not used, because a process has one backend of it, which the application chooses, and which need not be readable.
final class ServerMetrics: Sendable {
    /// A count without labels.
    enum Event: String, Sendable, CaseIterable {
        /// A request that joined the work of another.
        case coalesced
        /// A stale result whose source had not changed.
        case unchanged
        /// A request that was refused because the queue was full.
        case refused
        /// A request that missed its deadline.
        case deadlines
        /// A client that was gone before its response.
        case disconnects
        /// A connection that was closed because its client sent a head or read a response too slowly.
        case slowConnections = "slow_connections"
        /// A result that was made while its stale form was used.
        case refreshes
        /// A fallback image instead of one that failed.
        case fallbacks
    }

    enum Stage: String, Sendable, CaseIterable {
        case decode
        case encode
    }

    /// A sum and a histogram of durations.
    struct Durations: Sendable {
        static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
        var counts = [Int](repeating: 0, count: bounds.count + 1)
        var sum = 0.0

        mutating func add(_ duration: Duration) {
            let seconds = duration.inSeconds
            sum += seconds
            counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        }
    }

    struct State: Sendable {
        var events: [Event: Int] = [:]
        var responses: [Int: Int] = [:]
        var errors: [String: Int] = [:]
        var origins: [String: Int] = [:]
        var stages: [Stage: [String: Durations]] = [:]
        var requests = Durations()
        var upstream: [String: Int] = [:]
        var upstreamBytes = 0
        var bytesSent = 0
    }

    private let state = Mutex(State())

    var snapshot: State { state.withLock { $0 } }

    func count(_ event: Event) { state.withLock { $0.events[event, default: 0] += 1 } }

    func count(origin: ResultOrigin) { state.withLock { $0.origins[origin.name, default: 0] += 1 } }

    func observe(_ stage: Stage, format: String, _ duration: Duration) {
        state.withLock { $0.stages[stage, default: [:]][format, default: Durations()].add(duration) }
    }

    func countUpstream(_ outcome: String, bytes: Int = 0) {
        state.withLock { state in
            state.upstream[outcome, default: 0] += 1
            state.upstreamBytes += bytes
        }
    }

    func countResponse(status: Int, code: String?, bytes: Int, _ duration: Duration) {
        state.withLock { state in
            state.responses[status, default: 0] += 1
            if let code { state.errors[code, default: 0] += 1 }
            state.bytesSent += bytes
            state.requests.add(duration)
        }
    }
}

/// Counts requests to sources for the metrics of a server.
struct SourceObserver: ImageObserver {
    let metrics: ServerMetrics

    func didReceive(_ notification: DownloadNotification) {
        switch notification.event {
        case .responded(let status, _, _): metrics.countUpstream("\(status / 100)xx")
        case .finished(let bytes): metrics.countUpstream("finished", bytes: bytes)
        case .stopped(let error): metrics.countUpstream(error.code == .cancelled ? "cancelled" : "failed")
        case .retrying: metrics.countUpstream("retried")
        case .started, .redirected: break
        }
    }
}
#endif
