import EaselFoundation
import Synchronization

/// Loads http and https URLs: a bounded number at a time, with redirects, limits and retry, over any `HTTPTransport`.
public final class ImageDownloader: ImageLoading {
    let transport: any HTTPTransport
    /// In one place: each attempt has all of it at hand.
    let rules: Boxed<Configuration>
    var configuration: Configuration { rules.value }
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

    /// A downloader whose waits (between retries and starts, and until deadlines) a test can command.
    public init(
        transport: any HTTPTransport, clock: some Clock<Duration>,
        _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configure(&configuration)
        self.transport = transport
        rules = Boxed(configuration)
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
        admission.hold { running.cancelAll() }
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
            let loaded = try await running.run(deadline: request.http.deadline) {
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

    /// Where what has come of a download is kept until it is whole.
    func partialFolder(for request: ImageRequest) -> PartialFolder? {
        guard configuration.resumesDownloads else { return nil }
        return partials ?? request.http.partialFolder.map { PartialFolder(path: $0) }
    }
}
