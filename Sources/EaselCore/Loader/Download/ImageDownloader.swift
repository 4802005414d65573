import EaselFoundation
import Synchronization

/// A loader of http and https URLs over an `HTTPTransport`, with a bounded number of downloads at a time, redirects,
/// limits and retries.
public final class ImageDownloader: ImageLoading {
    let transport: any HTTPTransport
    let configuration: Configuration
    let admission: Admission
    let clock: LoadClock
    let budget: Mutex<RetryBudget>
    private let running: RunningDownloads
    private let partials: PartialFolder?
    private let lastNumber = Atomic<UInt64>(0)

    /// Creates a downloader.
    ///
    /// - Parameters:
    ///   - transport: Carries the exchanges.
    ///   - clock: Times retries, starts and deadlines. Tests replace it.
    ///   - configure: Changes the configuration.
    public init(
        transport: any HTTPTransport, clock: some Clock<Duration> = ContinuousClock(),
        _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configure(&configuration)
        self.transport = transport
        self.configuration = configuration
        self.clock = LoadClock(clock)
        budget = Mutex(RetryBudget(configuration.retryBudget))
        running = RunningDownloads(clock: self.clock)
        partials = configuration.partialFolder.map { PartialFolder(path: $0) }
        admission = Admission(
            PriorityQueue(
                limit: configuration.concurrentTransfers, limitPerGroup: configuration.concurrentTransfersPerHost,
                order: configuration.order == .fifo ? .firstInFirstOut : .lastInFirstOut),
            rate: configuration.startRate, clock: self.clock)
    }

    /// The number of exchanges at a time. A change applies at once.
    public var concurrentTransfers: Int {
        get { admission.limit }
        set { admission.limit = newValue }
    }

    /// The number of exchanges at a time with one host. A change applies at once.
    public var concurrentTransfersPerHost: Int {
        get { admission.limitPerGroup }
        set { admission.limitPerGroup = newValue }
    }

    /// Whether no download starts. Those in flight continue.
    public var isSuspended: Bool {
        get { admission.isSuspended }
        set { admission.isSuspended = newValue }
    }

    /// The number of downloads that run or wait for admission, without those that pause before a retry.
    public var currentDownloadCount: Int { admission.runningCount + admission.waitingCount }

    /// Ends every download with `ImageError.cancelled`. To end a single one, cancel the Swift task that waits for it.
    public func cancelAll() {
        admission.hold { running.cancelAll() }
    }

    /// Returns whether the URL is http or https.
    public func canLoad(_ request: ImageRequest) -> Bool { request.isHTTP }

    /// Downloads a file.
    ///
    /// - Throws: `ImageError.status` for a status that is not acceptable, `.contentType`, `.tooLarge`, `.badData` for
    ///   an empty body, `.tooManyRedirects`, `.forbiddenAddress`, `.timedOut(.total)` after the request's deadline, and
    ///   the errors of the transport.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        guard let host = request.url.host?.lowercased(), !host.isEmpty else {
            throw .invalidURL("The URL names no host.")
        }
        let reporter = DownloadReporter(lastNumber.add(1, ordering: .relaxed).newValue, request, context.observation)
        do throws(ImageError) {
            let loaded = try await running.run(deadline: request.http.deadline) { [self] () async throws(ImageError) in
                try await attempt(request, host: host, context, reporter)
            }
            reporter.end(.success(loaded))
            return loaded
        } catch {
            reporter.end(.failure(error))
            throw error
        }
    }

    /// Returns the folder of a request's partial download; `nil` if no part may be stored (RFC 9111 5.2.1.5).
    func partialFolder(for request: ImageRequest) -> PartialFolder? {
        let isStorable = request.http.policy != .standard || !CacheDirectives(request.http.headers).noStore
        guard configuration.resumesDownloads, isStorable else { return nil }
        return partials ?? request.http.partialFolder.map { PartialFolder(path: $0) }
    }

    /// Returns the fields of the first exchange: those of the request, and defaults.
    public func headers(for request: ImageRequest) -> HTTPHeaders {
        RedirectHop(request, defaults: configuration.headers).request.headers
    }
}
