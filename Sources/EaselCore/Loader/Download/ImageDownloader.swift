import EaselFoundation
import Synchronization

/// Loads http and https URLs: a bounded number at a time, with redirects, limits and retry, over any `HTTPTransport`.
public final class ImageDownloader: ImageLoading {
    let transport: any HTTPTransport
    let configuration: Configuration
    let admission: Admission
    let clock: LoadClock
    let budget: Mutex<RetryBudget>
    private let running: RunningDownloads
    private let listeners = DownloadListeners()
    let date: @Sendable () -> Date
    private let partials: PartialFolder?

    /// A downloader over `transport`.
    public convenience init(
        transport: any HTTPTransport, _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        self.init(transport: transport, clock: ContinuousClock(), configure)
    }

    /// A downloader with a clock of one's own, for tests, which times retries, starts and deadlines.
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
        running = RunningDownloads(clock: self.clock)
        date = wallClock(clock)
        partials = configuration.partialFolder.map { PartialFolder(path: $0) }
        admission = Admission(
            PriorityQueue(
                limit: configuration.concurrentTransfers, limitPerGroup: configuration.concurrentTransfersPerHost,
                order: configuration.order == .fifo ? .firstInFirstOut : .lastInFirstOut),
            rate: configuration.startRate, clock: self.clock)
    }

    /// Exchanges at a time, for all hosts together. A change applies at once.
    public var concurrentTransfers: Int {
        get { admission.limit }
        set { admission.limit = newValue }
    }

    /// Exchanges at a time with one host. A change applies at once.
    public var concurrentTransfersPerHost: Int {
        get { admission.limitPerGroup }
        set { admission.limitPerGroup = newValue }
    }

    /// While true no download starts; those in flight continue.
    public var isSuspended: Bool {
        get { admission.isSuspended }
        set { admission.isSuspended = newValue }
    }

    /// Downloads that run or wait for their admission, without those that pause before a retry.
    public var currentDownloadCount: Int { admission.runningCount + admission.waitingCount }

    /// The events of downloads from now on, a new stream for each call. A listener that falls behind by more than 1,024
    /// notifications misses the oldest.
    public var notifications: AsyncStream<DownloadNotification> { listeners.stream() }

    /// Ends every download with `ImageError.cancelled`, and closes the connections of those in flight. A single
    /// download ends with the Swift task that waits for it.
    public func cancelAll() {
        admission.hold { running.cancelAll() }
    }

    /// Whether it is an http or https URL.
    public func canLoad(_ request: ImageRequest) -> Bool { request.isHTTP }

    /// Downloads the whole body.
    ///
    /// - Throws: `ImageError.status` for a status that is not acceptable, `.contentType`, `.tooLarge` as soon as it is
    ///   known, `.badData` for an empty body, `.tooManyRedirects`, `.forbiddenAddress`, `.timedOut(.total)` after the
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

    /// The folder of a request's partial download.
    func partialFolder(for request: ImageRequest) -> PartialFolder? {
        guard configuration.resumesDownloads else { return nil }
        return partials ?? request.http.partialFolder.map { PartialFolder(path: $0) }
    }

    /// The fields of the first exchange: the request's, and defaults that it does not set.
    public func headers(for request: ImageRequest) -> HTTPHeaders {
        RedirectHop(request, defaults: configuration.headers).request.headers
    }
}
