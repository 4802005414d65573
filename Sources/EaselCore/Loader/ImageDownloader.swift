#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Synchronization

/// Loads http and https URLs: a bounded number at a time, with redirects, limits and retry, over any `HTTPTransport`.
public final class ImageDownloader: ImageLoading {
    private let transport: any HTTPTransport
    let configuration: Configuration
    let admission: Admission
    let clock: LoadClock
    let budget: Mutex<RetryBudget>
    private let running: RunningLoads
    private let listeners = DownloadListeners()
    private let date: @Sendable () -> Date
    private let partials: PartialFolder?

    /// A downloader over `transport`.
    public convenience init(
        transport: any HTTPTransport, _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        self.init(transport: transport, clock: ContinuousClock(), configure)
    }

    /// A downloader whose waits (between retries and starts, and until deadlines) a test can command.
    public init(
        transport: any HTTPTransport, clock: some Clock<Duration>,
        _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configure(&configuration)
        self.transport = transport
        self.configuration = configuration
        self.clock = LoadClock(clock)
        budget = Mutex(RetryBudget(configuration.retryBudget))
        running = RunningLoads(clock: self.clock)
        date = wallClock(clock)
        partials = configuration.partialFolder.map { PartialFolder(path: $0) }
        admission = Admission(
            AdmissionQueue(
                limit: configuration.concurrentTransfers, limitPerGroup: configuration.concurrentTransfersPerHost,
                order: configuration.order == .fifo ? .firstInFirstOut : .lastInFirstOut),
            rate: configuration.startRate, clock: self.clock)
    }

    /// Exchanges at a time, for all hosts together. Raising starts waiting ones at once (B68).
    public var concurrentTransfers: Int {
        get { admission.limit }
        set { admission.limit = newValue }
    }

    /// Exchanges at a time with one host, live too.
    public var concurrentTransfersPerHost: Int {
        get { admission.limitPerGroup }
        set { admission.limitPerGroup = newValue }
    }

    /// While true no download starts; those that run go on (S139, B71).
    public var isSuspended: Bool {
        get { admission.isSuspended }
        set { admission.isSuspended = newValue }
    }

    /// Downloads that run or wait for their turn (X129); one that pauses before a new attempt does neither.
    public var currentDownloadCount: Int { admission.runningCount + admission.waitingCount }

    /// What happens to downloads from here on, a stream for each who asks (S165, X133). Iterate it on the main actor to hear
    /// it there. Who falls behind by more than 1,024 notifications misses the oldest.
    public var notifications: AsyncStream<DownloadNotification> { listeners.stream() }

    /// Ends every download with `ImageError.cancelled`: those that wait at once, and those that run with their connections
    /// (S139, X129). One alone ends with the Swift task that waits for it.
    public func cancelAll() {
        running.cancelAll()
    }

    /// Takes http and https.
    public func canLoad(_ request: ImageRequest) -> Bool { request.isHTTP }

    /// Downloads the whole body.
    ///
    /// - Throws: `ImageError.status` for a status that is not acceptable (B80), `.contentType`, `.tooLarge` as soon as it is
    ///   known (B81), `.badData` for an empty body, `.tooManyRedirects`, `.forbiddenAddress`, `.timedOut(.total)` after the
    ///   request's deadline, and what the transport throws.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        guard let host = request.url.host?.lowercased(), !host.isEmpty else {
            throw .invalidURL("The URL names no host.")
        }
        let reporter = DownloadReporter(request, listeners, context.observation)
        do throws(ImageError) {
            let loaded = try await running.run(deadline: request.http.deadline, context) {
                [self] () async throws(ImageError) in
                try await attempt(request, host: host, context, reporter)
            }
            reporter.end(.success(loaded))
            return loaded
        } catch {
            reporter.end(.failure(error))
            throw error
        }
    }

    /// One attempt: exchanges until one is no redirect.
    func download(
        _ request: ImageRequest, _ context: LoadContext, _ reporter: DownloadReporter,
        _ timeline: inout LoadTimeline, _ retryAfter: inout Duration?
    ) async throws(ImageError) -> LoadedData {
        let configuration = configuration.overridden(by: request.http)
        var hop = RedirectHop(request, defaults: configuration.headers)
        var trail = ResponseTrail(request: hop.request.headers, date: date)
        hop = try hop.replacing(try await configuration.modified(hop.request))
        // Of what is kept whole there is no part, unless an attempt at a newer one has just left it.
        let mayHavePart = request.http.stored == nil || timeline.requests > 0
        let resumption = await Resumption(request, in: partialFolder(for: request), looks: mayHavePart)
        while true {
            let exchange = try hop.exchange(configuration, handlesCookies: request.http.handlesCookies)
            let question = request.http.stored?.asking(exchange) ?? exchange
            guard context.mayAsk() else { throw .cancelled }
            let started = ContinuousClock.now
            timeline.requests += 1
            trail.begin()
            var response = try await reporter.sending(resumption.asking(question), over: transport)
            timeline.firstByte = .now - started
            timeline.connect = response.connectTime
            trail.end(response)
            if request.http.handlesCookies { configuration.cookies.take(response, from: hop.url) }
            if let next = try hop.following(response, maximum: configuration.maximumRedirects) {
                hop = next
                reporter.report(.redirected(to: next.url))
                continue
            }
            if response.status == 304, let stored = request.http.stored {
                // It has no body; only who has read that can use the connection again.
                _ = try await response.body.next()
                if let confirmed = trail.confirmed(stored, response) {
                    return .notModified(confirmed, timeline: timeline)
                }
                return try await download(request.validating(nil), context, reporter, &timeline, &retryAfter)
            }
            if await resumption.startsOver(response) { continue }
            retryAfter = RetryAfter.delay(response.headers, now: date())
            try resumption.check(response, to: exchange)
            response = try await configuration.checked(response)
            let headCame = ContinuousClock.now
            let stored = resumption.completed(trail.stored(response, url: hop.request.url), by: response)
            let data = try await reporter.receiving { () async throws(ImageError) in
                try await collected(response, stored, resumption, request, context)
            }
            timeline.transfer = .now - headCame
            let received = data.count - resumption.beginning.count
            timeline.bytesReceived += received
            reporter.observation?.received(received)
            return LoadedData(
                data: try await configuration.decrypted(data), source: .network, timeline: timeline, response: stored)
        }
    }

    private func partialFolder(for request: ImageRequest) -> PartialFolder? {
        guard configuration.resumesDownloads else { return nil }
        return partials ?? request.http.partialFolder.map { PartialFolder(path: $0) }
    }

    private func collected(
        _ response: HTTPResponse, _ stored: StoredResponse, _ resumption: Resumption, _ request: ImageRequest,
        _ context: LoadContext
    ) async throws(ImageError) -> Data {
        try await resumption.collecting(response, stored) { () async throws(ImageError) in
            try await BodyCollector.collect(
                response, stored, resumption,
                BodyCollector.Bounds(
                    limit: request.limits.bytes,
                    progress: ProgressFilter(interval: configuration.minimumProgressInterval),
                    showsPieces: configuration.decryptor == nil && request.http.decryptor == nil), context)
        }
    }
}
