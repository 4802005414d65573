#if Server
import EaselCore
import EaselFoundation
import EaselServerTiers
import EaselServerURLs
import NIOCore

/// Answers image URLs: from memory at once, else from disk, from a shared tier, or by making the result. Equal requests
/// share their work.
final class ImageService: Sendable {
    /// A result and where it was found.
    struct Answer: Sendable {
        var result: MemoryResult
        var origin: ResultOrigin
        var isCoalesced = false
    }

    let store: ResultStore
    let metrics: ServerMetrics
    /// Admits requests that have to be made.
    let requests: AdmissionGate
    /// Admits pixels, by their bytes.
    let pixels: AdmissionGate
    private let maker: ResultMaker
    private let flights = SingleFlight<ResultKey, Answer>()
    private let rules: ResponseRules
    private let deadline: Duration
    private let fallback: SourceLocation?
    private let cluster: ClusterFlight?

    init(
        store: ResultStore, maker: ResultMaker, requests: AdmissionGate, rules: ResponseRules, deadline: Duration,
        fallback: SourceLocation?, cluster: ClusterFlight?
    ) {
        self.store = store
        self.maker = maker
        self.requests = requests
        self.rules = rules
        self.deadline = deadline
        self.fallback = fallback
        self.cluster = cluster
        metrics = maker.metrics
        pixels = maker.gate
    }

    /// The number of results that are being looked up or made.
    var flightCount: Int { flights.count }
    /// The number of requests that wait for them.
    var flightCallers: Int { flights.callerCount }

    /// Returns the result in memory if it may be used. Never waits.
    ///
    /// - Parameter refreshes: Set if the result is stale, and has to be made again meanwhile with `refresh`.
    func answerInMemory(_ key: ResultKey, now: Date, refreshes: inout Bool) -> Answer? {
        guard let found = store.inMemory(key) else { return nil }
        switch found.result.freshness(at: now) {
        case .fresh: break
        case .staleWhileRevalidate: refreshes = true
        case .stale: return nil
        }
        return Answer(result: found, origin: .memory)
    }

    /// Returns the result for a URL, at the latest after the deadline. Cancelling the calling task cancels the work,
    /// unless others wait for it too.
    func answer(
        _ parsed: ParsedURL, _ variant: ResultVariant, _ client: ClientKey
    ) async -> Result<Answer, ServerError> {
        let key = ResultKey(parsed, variant)
        let outcome = await withDeadline(deadline) { [self] in
            let (outcome, isJoined) = await flights.run(key) { [self] in
                await find(parsed, variant, client, key)
            }
            guard isJoined else { return outcome }
            metrics.count(.coalesced)
            return outcome.map { Answer(result: $0.result, origin: $0.origin, isCoalesced: true) }
        }
        return outcome
    }

    /// Removes all results of a source from every tier, and its file. Returns whether every shared tier did.
    func removeAll(of url: ImageURL) async -> Bool {
        await cluster?.finish()
        let isComplete = await store.removeAll(of: url.source)
        if let source = try? ResultMaker.url(of: url.location) {
            let (cache, key) = (maker.manager.cache, ImageRequest(source).originalKey)
            if let extended = cache.extended {
                try? await extended.removeURL(of: key)
            } else {
                try? await cache.remove(key, from: .all)
            }
        }
        return isComplete
    }

    /// How results were obtained from the servers that share leases; `nil` without leases.
    var sharedFlights: SharedFlight.Statistics? { cluster?.statistics }

    /// Refuses waiting requests, and waits for writes.
    func stop() async {
        requests.refuseAll()
        await finishWrites()
        store.shutDown()
        await maker.manager.finishRefreshes()
    }

    /// Waits until the results that were returned so far are stored.
    func finishWrites() async {
        await cluster?.finish()
        await store.finish()
    }

    /// Cancels all work.
    func cancelAll() {
        flights.cancelAll()
        maker.manager.cancelAll()
    }

    // MARK: - Finding and making

    private func find(
        _ parsed: ParsedURL, _ variant: ResultVariant, _ client: ClientKey, _ key: ResultKey
    ) async -> Result<Answer, ServerError> {
        var previous = store.inMemory(key)?.result
        if let found = await store.onDisk(key) {
            if let answer = use(found, .disk, parsed, variant, client, key) { return .success(answer) }
            previous = previous ?? found
        }
        if let (found, origin) = await store.inShared(key) {
            if let answer = use(found, origin, parsed, variant, client, key) {
                store.writeToDisk(found, for: key)
                return .success(answer)
            }
            previous = previous ?? found
        }
        return await make(ResultJob(parsed: parsed, variant: variant, client: client, previous: previous), key)
    }

    /// Keeps a stored result in memory and returns it, unless it is too old.
    private func use(
        _ result: ImageResult, _ origin: ResultOrigin, _ parsed: ParsedURL, _ variant: ResultVariant,
        _ client: ClientKey, _ key: ResultKey
    ) -> Answer? {
        switch result.freshness(at: Date()) {
        case .fresh: break
        case .staleWhileRevalidate:
            // After this flight, which has the same key.
            Task { [self] in refresh(parsed, variant, client, result, key) }
        case .stale: return nil
        }
        return Answer(result: keep(result, parsed, key), origin: origin)
    }

    private func keep(_ result: ImageResult, _ parsed: ParsedURL, _ key: ResultKey) -> MemoryResult {
        let kept = MemoryResult(result, source: key.source, vary: parsed.vary, rules: rules)
        store.keepInMemory(kept, for: key)
        return kept
    }

    /// Makes a result again that is still in use, after the call.
    func refresh(
        _ parsed: ParsedURL, _ variant: ResultVariant, _ client: ClientKey, _ previous: ImageResult, _ key: ResultKey
    ) {
        let job = ResultJob(parsed: parsed, variant: variant, client: client, previous: previous)
        flights.begin(key) { [self] in
            metrics.count(.refreshes)
            return await withDeadline(deadline) { [self] in await make(job, key) }
        }
    }

    private func make(_ job: ResultJob, _ key: ResultKey) async -> Result<Answer, ServerError> {
        let permit: AdmissionGate.Permit
        do throws(AdmissionGate.Refusal) {
            permit = try await requests.enter(job.client, weight: 1)
        } catch {
            guard error == .full else { return .failure(.cancelled) }
            metrics.count(.refused)
            return .failure(.full(retryAfter: retryAfter))
        }
        defer { withExtendedLifetime(permit) {} }
        do throws(ServerError) {
            let (result, origin) = try await makeOnce(job, key)
            return .success(Answer(result: keep(result, job.parsed, key), origin: origin))
        } catch {
            // After a refresh that fails, the result may still be used.
            if job.previous?.freshness(at: Date()) == .staleWhileRevalidate { return .failure(error) }
            return await answerWithFallback(job, key, instead: error)
        }
    }

    /// Makes a result, once for all servers that share leases.
    private func makeOnce(_ job: ResultJob, _ key: ResultKey) async throws(ServerError) -> (ImageResult, ResultOrigin) {
        guard let cluster else {
            let result = try await maker.make(job)
            store.writeToDisk(result, for: key)
            store.share(result, for: key)
            return (result, .made)
        }
        return try await cluster.run(key, replacing: job.previous, store: store) { () throws(ServerError) in
            try await self.maker.make(job)
        }
    }

    /// Returns the fallback image of the URL or of the server for an error of the source.
    private func answerWithFallback(
        _ job: ResultJob, _ key: ResultKey, instead error: ServerError
    ) async -> Result<Answer, ServerError> {
        let url = job.parsed.url
        guard url.kind == .image, let location = url.options.fallback ?? fallback, location != url.location,
            [403, 404, 413, 422, 502, 504].contains(error.status), error.code != "resultTooLarge"
        else { return .failure(error) }
        var other = url
        other.location = location
        var fallbackJob = job
        fallbackJob.previous = nil
        fallbackJob.parsed = ParsedURL(
            path: job.parsed.path, url: other, usesHints: job.parsed.usesHints, settings: job.parsed.settings)
        do throws(ServerError) {
            var result = try await maker.make(fallbackJob)
            metrics.count(.fallbacks)
            // The source may be back soon.
            result.lifetime = ImageResult.Lifetime(freshUntil: Date().addingTimeInterval(Self.fallbackSeconds))
            return .success(Answer(result: keep(result, job.parsed, key), origin: .made))
        } catch {
            return .failure(error)
        }
    }

    /// The seconds until the queue is probably half as long, from 1 to 30.
    private var retryAfter: Int { min(30, max(1, requests.load.waiting / 64)) }

    private static let fallbackSeconds = 10.0
}
#endif
