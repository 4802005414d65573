#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Loads http and https URLs: a bounded number at a time, with redirects, limits and retry, over any `HTTPTransport`.
public final class ImageDownloader: ImageLoading {
    /// How a downloader works.
    public struct Configuration: Sendable {
        /// Exchanges at a time, for all hosts together: 24.
        public var concurrentTransfers = 24
        /// Exchanges at a time with one host: 6 (S188).
        public var concurrentTransfersPerHost = 6
        /// Who of equals goes first: first come (S144, X127).
        public var order = Order.fifo
        /// Redirects that are followed: 10.
        public var maximumRedirects = 10
        /// Sent with every request, unless the request sets them itself.
        public var headers: HTTPHeaders = ["Accept": "image/*,*/*;q=0.8", "User-Agent": "Easel"]
        /// Where what has come of a download is kept until it is whole, so that it goes on after a failure, or in another
        /// process; `nil` for nowhere. Of use only where servers name versions (a strong `ETag`) and serve ranges.
        public var partialFolder: String?

        /// The defaults named above.
        public init() {}
    }

    /// Who of equal priority goes first.
    public enum Order: Sendable, Hashable {
        /// First come, first served.
        case fifo
        /// Last come, first served: what was scrolled to last is seen first.
        case lifo
    }

    private let transport: any HTTPTransport
    let configuration: Configuration
    private let admission: Admission
    private let pause: @Sendable (Duration) async throws -> Void
    private let date: @Sendable () -> Date
    private let partials: PartialFolder?

    /// A downloader over `transport`.
    public convenience init(
        transport: any HTTPTransport, _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        self.init(transport: transport, clock: ContinuousClock(), configure)
    }

    /// A downloader whose waits between retries a test can command.
    public init(
        transport: any HTTPTransport, clock: some Clock<Duration>,
        _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configure(&configuration)
        self.transport = transport
        self.configuration = configuration
        pause = { try await clock.sleep(for: $0) }
        date = wallClock(clock)
        partials = configuration.partialFolder.map { PartialFolder(path: $0) }
        admission = Admission(
            AdmissionQueue(
                limit: configuration.concurrentTransfers, limitPerGroup: configuration.concurrentTransfersPerHost,
                order: configuration.order == .fifo ? .firstInFirstOut : .lastInFirstOut))
    }

    /// Exchanges at a time, for all hosts together. Raising starts waiting ones at once (B68).
    public var concurrentTransfers: Int {
        get { admission.limit }
        set { admission.limit = newValue }
    }

    /// While true no download starts; those that run go on (S139, B71).
    public var isSuspended: Bool {
        get { admission.isSuspended }
        set { admission.isSuspended = newValue }
    }

    /// Downloads that run or wait.
    public var currentDownloadCount: Int { admission.runningCount + admission.waitingCount }

    /// Takes http and https.
    public func canLoad(_ request: ImageRequest) -> Bool { request.isHTTP }

    /// Downloads the whole body.
    ///
    /// - Throws: `ImageError.status` for other statuses than 2xx (B80), `.tooLarge` as soon as it is known (B81), `.badData` for an empty
    ///   body, `.tooManyRedirects`, and what the transport throws.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        guard let host = request.url.host?.lowercased(), !host.isEmpty else {
            throw .invalidURL("The URL names no host.")
        }
        var timeline = LoadTimeline()
        var failures = 0
        while true {
            do throws(ImageError) {
                return try await admission.run(group: host, context) { waited throws(ImageError) in
                    timeline.queued = (timeline.queued ?? .zero) + waited
                    return try await download(request, context, &timeline)
                }
            } catch {
                failures += 1
                let jitter = Double.random(in: 0...1)
                guard let delay = request.retry.delay(after: error, attempt: failures, jitter: jitter) else {
                    throw error
                }
                do { try await pause(delay) } catch { throw ImageError.cancelled }
            }
        }
    }

    /// One attempt: exchanges until one is no redirect.
    private func download(
        _ request: ImageRequest, _ context: LoadContext, _ timeline: inout LoadTimeline
    ) async throws(ImageError) -> LoadedData {
        var hop = RedirectHop(request, defaults: configuration.headers)
        var trail = ResponseTrail(request: headers(for: request), date: date)
        let resumption = await Resumption(request, in: partials)
        while true {
            let started = ContinuousClock.now
            timeline.requests += 1
            trail.begin()
            let question = request.http.stored?.asking(hop.request) ?? hop.request
            let response = try await transport.send(resumption.asking(question))
            timeline.firstByte = .now - started
            trail.end(response)
            if let next = try hop.following(response, maximum: configuration.maximumRedirects) {
                hop = next
                continue
            }
            if response.status == 304, let stored = request.http.stored {
                // It has no body; only who has read that can use the connection again.
                _ = try await response.body.next()
                if let confirmed = trail.confirmed(stored, response) {
                    return .notModified(confirmed, timeline: timeline)
                }
                return try await download(request.validating(nil), context, &timeline)
            }
            if await resumption.startsOver(response) { continue }
            try resumption.check(response, to: hop.request)
            guard (200..<300).contains(response.status) else { throw .status(response.status) }
            let headCame = ContinuousClock.now
            let stored = resumption.completed(trail.stored(response, url: hop.request.url), by: response)
            let data = try await resumption.collecting(response, stored) { () async throws(ImageError) in
                try await Self.collect(response, resumption, limit: request.limits.bytes, context)
            }
            timeline.transfer = .now - headCame
            return LoadedData(data: data, source: .network, timeline: timeline, response: stored)
        }
    }

    /// The whole body, counted as it comes: the announced length may be missing, or a lie.
    private static func collect(
        _ response: HTTPResponse, _ resumption: Resumption, limit: Int, _ context: LoadContext
    ) async throws(ImageError) -> Data {
        var data = resumption.beginning
        let expected = resumption.total ?? response.bodyLength
        if let expected, expected > limit { throw .tooLarge(.bytes(expected, limit: limit)) }
        data.reserveCapacity(min(expected ?? 0, largestReservation))
        context.report(received: data.count, expected: expected)
        while let piece = try await response.body.next() {
            guard data.count + piece.count <= limit else {
                throw .tooLarge(.bytes(data.count + piece.count, limit: limit))
            }
            data.append(contentsOf: piece)
            await resumption.keep(piece, of: data)
            context.report(received: data.count, expected: expected)
        }
        guard !data.isEmpty else {
            throw .badData("The server's answer is empty. Check the URL in a browser.")
        }
        return data
    }

    /// An announced length is only a guess until the bytes are there.
    private static let largestReservation = 16 << 20
}
