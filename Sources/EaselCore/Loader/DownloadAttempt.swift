#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One attempt at a download: exchanges until one is no redirect.
///
/// Made when its turn has come, and used by one task.
final class DownloadAttempt {
    /// How long it has taken, with the attempts before.
    private(set) var timeline: LoadTimeline
    /// When the server wants to be asked again.
    private(set) var retryAfter: Duration?

    private let downloader: ImageDownloader
    private let request: ImageRequest
    private let context: LoadContext
    private let reporter: DownloadReporter
    private let configuration: ImageDownloader.Configuration
    private var hop: RedirectHop
    private var trail: ResponseTrail
    private var sent = ContinuousClock.now

    /// - Parameters:
    ///   - last: the attempt before, where there was one.
    ///   - waited: how long this one had to wait for its turn.
    init(
        _ downloader: ImageDownloader, _ request: ImageRequest, _ context: LoadContext, _ reporter: DownloadReporter,
        after last: DownloadAttempt?, waited: Duration = .zero
    ) {
        self.downloader = downloader
        self.request = request
        self.context = context
        self.reporter = reporter
        timeline = last?.timeline ?? LoadTimeline()
        timeline.queued = (timeline.queued ?? .zero) + waited
        configuration = downloader.configuration.overridden(by: request.http)
        hop = RedirectHop(request, defaults: configuration.headers)
        trail = ResponseTrail(request: hop.request.headers, date: downloader.date)
    }

    /// The file.
    ///
    /// - Throws: what `ImageDownloader.load` names.
    func run() async throws(ImageError) -> LoadedData {
        hop = try hop.replacing(try await configuration.modified(hop.request))
        let resumption = await resumption()
        while true {
            let response = try await reporter.sending(try question(resumption), over: downloader.transport)
            note(response)
            if try follow(response) { continue }
            if response.status == 304, let stored = request.http.stored { return try await confirmed(stored, response) }
            if await resumption.startsOver(response) { continue }
            return try await file(response, resumption)
        }
    }

    // MARK: - Asking

    /// Of what is kept whole there is no part, unless an attempt at a newer one has just left it.
    private func resumption() async -> Resumption {
        await Resumption(
            request, in: downloader.partialFolder(for: request),
            looks: request.http.stored == nil || timeline.requests > 0)
    }

    /// What is sent next, if anybody still wants it.
    private func question(_ resumption: Resumption) throws(ImageError) -> HTTPRequest {
        let exchange = try hop.exchange(configuration, handlesCookies: request.http.handlesCookies)
        let question = request.http.stored?.asking(exchange) ?? exchange
        guard context.mayAsk() else { throw .cancelled }
        timeline.requests += 1
        trail.begin()
        sent = .now
        return resumption.asking(question)
    }

    /// The head of an answer has come.
    private func note(_ response: HTTPResponse) {
        timeline.firstByte = .now - sent
        timeline.connect = response.connectTime
        trail.end(response)
        if request.http.handlesCookies { configuration.cookies.take(response, from: hop.url) }
    }

    /// Returns whether the answer leads to another exchange.
    private func follow(_ response: HTTPResponse) throws(ImageError) -> Bool {
        guard let next = try hop.following(response, maximum: configuration.maximumRedirects) else { return false }
        hop = next
        reporter.report(.redirected(to: next.url))
        return true
    }

    // MARK: - The answer

    /// What is kept is still current; where the answer is about another version, the whole is asked for.
    private func confirmed(
        _ stored: StoredResponse, _ response: HTTPResponse
    ) async throws(ImageError) -> LoadedData {
        // It has no body; only who has read that can use the connection again.
        _ = try await response.body.next()
        if let confirmed = trail.confirmed(stored, response) { return .notModified(confirmed, timeline: timeline) }
        let whole = DownloadAttempt(downloader, request.validating(nil), context, reporter, after: self)
        defer { (timeline, retryAfter) = (whole.timeline, whole.retryAfter) }
        return try await whole.run()
    }

    private func file(_ answer: HTTPResponse, _ resumption: Resumption) async throws(ImageError) -> LoadedData {
        let response = try await checked(answer, resumption)
        let headCame = ContinuousClock.now
        let stored = resumption.completed(trail.stored(response, url: hop.request.url), by: response)
        let data = try await reporter.receiving { () async throws(ImageError) in
            try await collected(response, stored, resumption)
        }
        timeline.transfer = .now - headCame
        let received = data.count - resumption.beginning.count
        timeline.bytesReceived += received
        reporter.observation?.received(received)
        return LoadedData(
            data: try await configuration.decrypted(data), source: .network, timeline: timeline, response: stored)
    }

    private func checked(
        _ response: HTTPResponse, _ resumption: Resumption
    ) async throws(ImageError) -> HTTPResponse {
        retryAfter = RetryAfter.delay(response.headers, now: downloader.date())
        try resumption.check(response, to: hop.request)
        return try await configuration.checked(response)
    }

    private func collected(
        _ response: HTTPResponse, _ stored: StoredResponse, _ resumption: Resumption
    ) async throws(ImageError) -> Data {
        try await resumption.collecting(response, stored) { () async throws(ImageError) in
            try await BodyCollector.collect(
                response, stored, resumption,
                BodyCollector.Bounds(
                    limit: request.limits.bytes,
                    progress: ProgressFilter(interval: configuration.minimumProgressInterval),
                    showsPieces: configuration.decryptor == nil), context)
        }
    }
}
