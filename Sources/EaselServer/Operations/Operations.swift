#if Server
import EaselCore
import EaselFoundation
import EaselServerTiers
import HTTPTypes
import Hummingbird
import NIOCore

/// The paths beside images: whether the process lives, whether it is ready for requests, and its metrics.
struct Operations: Sendable {
    /// Whether `/health/live`, `/health/ready` and `/metrics` are answered.
    var isEnabled = true
    /// The token that `PURGE` needs; `nil` refuses it.
    var purgeToken: String?
    /// The state of a shared tier, by its name.
    var tiers: [@Sendable () -> TierState] = []
    /// The counts of the sandbox of the decoders.
    var sandbox: @Sendable () -> SandboxStatistics? = { nil }

    /// The state of a shared tier.
    struct TierState: Sendable {
        var name: String
        /// Whether the tier is left out because it failed.
        var isOpen = false
        var hits = 0
        var misses = 0
        /// The calls that failed or exceeded their time limit.
        var failures = 0
        /// The calls that were not made because the tier was left out, or had too many.
        var skipped = 0
    }

    /// Returns the response for a path, or `nil` if it is that of an image.
    func response(to path: Substring, isStopping: Bool, _ service: ImageService) -> Response? {
        guard isEnabled, path.utf8.count <= 16 else { return nil }
        switch path {
        case "/health/live": return Self.response("application/json", #"{"status":"live"}"#)
        case "/health/ready": return readiness(isStopping: isStopping)
        case "/metrics": return Self.response("text/plain; version=0.0.4; charset=utf-8", metrics(of: service))
        default: return nil
        }
    }

    /// Returns whether the value of `Authorization` has the token, in a time that does not depend on it.
    func allowsPurge(_ authorization: String?) -> Bool {
        guard let purgeToken, let authorization else { return false }
        let (expected, given) = (Array("Bearer \(purgeToken)".utf8), Array(authorization.utf8))
        guard expected.count == given.count else { return false }
        return zip(expected, given).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
    }

    /// A tier that is left out does not make the server unready, because no request fails for it.
    private func readiness(isStopping: Bool) -> Response {
        var states = JSONText()
        for tier in tiers.map({ $0() }) { states.add(tier.name, tier.isOpen ? "left out" : "in use") }
        var text = JSONText()
        text.add("status", isStopping ? "stopping" : "ready")
        text.add("tiers", raw: states.object)
        return Self.response("application/json", text.object, isStopping ? .serviceUnavailable : .ok)
    }

    private static func response(
        _ type: String, _ text: String, _ status: HTTPTypes.HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension Operations {
    private func metrics(of service: ImageService) -> String {
        let state = service.metrics.snapshot
        var text = MetricsText()
        text.add(
            "easel_server_responses_total", .counter, "Responses to image requests, by status.", by: "status",
            Dictionary(uniqueKeysWithValues: state.responses.map { ("\($0.key)", $0.value) }))
        text.add("easel_server_errors_total", .counter, "Error responses, by code.", by: "code", state.errors)
        text.add("easel_server_results_total", .counter, "Results, by where they were.", by: "tier", state.origins)
        text.addHistogram("easel_server_request_seconds", "Time of image requests.", [([], state.requests)])
        text.add("easel_server_sent_bytes_total", .counter, "Bytes of bodies.", Double(state.bytesSent))
        for event in ServerMetrics.Event.allCases {
            text.add(
                "easel_server_\(event.rawValue)_total", .counter, "Events: \(event.rawValue).",
                Double(state.events[event] ?? 0))
        }
        addLoad(service, to: &text)
        for stage in ServerMetrics.Stage.allCases {
            let values = (state.stages[stage] ?? [:]).sorted { $0.key < $1.key }
            text.addHistogram(
                "easel_server_\(stage.rawValue)_seconds", "Time of each \(stage.rawValue).",
                values.map { ([("format", $0.key)], $0.value) })
        }
        text.add("easel_server_upstream_total", .counter, "Requests to sources.", by: "outcome", state.upstream)
        text.add("easel_server_upstream_bytes_total", .counter, "Bytes of sources.", Double(state.upstreamBytes))
        addTiers(to: &text)
        if let flights = service.sharedFlights {
            text.add(
                "easel_server_shared_flights_total", .counter, "Results by the server that made them.", by: "outcome",
                ["led": flights.led, "joined": flights.joined, "alone": flights.alone, "lost": flights.lost])
        }
        if let sandbox = sandbox() {
            text.add("easel_server_sandbox_jobs_total", .counter, "Jobs of the sandbox.", Double(sandbox.jobs))
            text.add("easel_server_sandbox_timeouts_total", .counter, "Stopped jobs.", Double(sandbox.timeouts))
            text.add(
                "easel_server_sandbox_unprotected_total", .counter, "Jobs without a sandbox.",
                Double(sandbox.unprotected))
            text.add(
                "easel_server_sandbox_crashes_total", .counter, "Workers that ended during a job.", by: "cause",
                sandbox.crashesByCause)
        }
        return text.text
    }

    private func addLoad(_ service: ImageService, to text: inout MetricsText) {
        let (requests, pixels) = (service.requests.load, service.pixels.load)
        text.add("easel_server_queue_waiting", .gauge, "Requests that wait for admission.", Double(requests.waiting))
        text.add("easel_server_queue_running", .gauge, "Requests whose results are made.", Double(requests.running))
        text.add("easel_server_queue_clients", .gauge, "Clients with such requests.", Double(requests.clients))
        text.add("easel_server_pixel_bytes", .gauge, "Bytes of pixels in work.", Double(pixels.inUse))
        text.add("easel_server_pixel_waiting", .gauge, "Decodes that wait for memory.", Double(pixels.waiting))
        text.add("easel_server_flights", .gauge, "Results that are looked up or made.", Double(service.flightCount))
        text.add(
            "easel_server_deferred_results", .gauge, "Results that a shared tier has not accepted yet.",
            Double(service.store.deferredCount))
        let memory = service.store.memory
        text.add("easel_server_memory_bytes", .gauge, "Bytes of results in memory.", Double(memory.totalCost))
        text.add("easel_server_memory_entries", .gauge, "Results in memory.", Double(memory.count))
        text.add(
            "easel_server_memory_evictions_total", .counter, "Results evicted from memory.",
            Double(memory.statistics.evictions))
    }

    private func addTiers(to text: inout MetricsText) {
        let states = tiers.map { $0() }
        func add(_ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: (TierState) -> Int) {
            text.add(name, kind, help, states.map { ([("tier", $0.name)], Double(value($0))) })
        }
        add("easel_server_tier_out", .gauge, "Whether a tier is left out.") { $0.isOpen ? 1 : 0 }
        add("easel_server_tier_hits_total", .counter, "Hits of shared tiers.") { $0.hits }
        add("easel_server_tier_misses_total", .counter, "Misses of shared tiers.") { $0.misses }
        add("easel_server_tier_failures_total", .counter, "Failures of shared tiers.") { $0.failures }
        add("easel_server_tier_skipped_total", .counter, "Calls of shared tiers that were not made.") { $0.skipped }
    }
}
#endif
