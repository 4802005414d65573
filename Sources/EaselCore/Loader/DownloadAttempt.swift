import EaselFoundation

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
    private let rules: Boxed<ImageDownloader.Configuration>
    private var hop: RedirectHop
    private var trail: ResponseTrail
    private var sent = ContinuousClock.now

    /// - Parameters:
    ///   - last: the attempt before, where there was one.
    ///   - waited: how long this one had to wait for its turn.
    @inline(never)
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
        rules = downloader.rules.overridden(by: request.http)
        hop = RedirectHop(request, defaults: rules.value.headers)
        trail = ResponseTrail(request: hop.request.headers, date: downloader.date)
    }

    /// The file.
    ///
    /// - Throws: what `ImageDownloader.load` names.
    func run() async throws(ImageError) -> LoadedData {
        if configuration.changesRequests { try await modifyRequest() }
        let resumption = await resumption(in: downloader.partialFolder(for: request))
        while true {
            let response = try await reporter.sending(try question(resumption), over: downloader.transport)
            note(response)
            if try follow(response) { continue }
            if response.status == 304, let stored = request.http.stored { return try await confirmed(stored, response) }
            if let resumption, await resumption.startsOver(response) { continue }
            return try await file(response, resumption)
        }
    }

    // MARK: - Asking

    private var configuration: ImageDownloader.Configuration { rules.value }

    /// Not inlined, as what follows below: few applications change anything, and every attempt would have room for it.
    @inline(never)
    private func modifyRequest() async throws(ImageError) {
        hop = try hop.replacing(try await configuration.modified(hop.request))
    }

    /// Of what is kept whole there is no part, unless an attempt at a newer one has just left it.
    @inline(never)
    private func resumption(in folder: PartialFolder?) async -> Resumption? {
        guard let folder else { return nil }
        return await Resumption(
            request, in: folder, looks: request.http.stored == nil || timeline.requests > 0)
    }

    /// What is sent next, if anybody still wants it.
    @inline(never)
    private func question(_ resumption: Resumption?) throws(ImageError) -> HTTPRequest {
        let exchange = try hop.exchange(configuration, handlesCookies: request.http.handlesCookies)
        let question = request.http.stored?.asking(exchange) ?? exchange
        guard context.willSendRequest() else { throw .cancelled }
        timeline.requests += 1
        trail.begin()
        sent = .now
        return resumption?.asking(question) ?? question
    }

    /// The head of an answer has come.
    @inline(never)
    private func note(_ response: HTTPResponse) {
        timeline.firstByte = .now - sent
        timeline.connect = response.connectTime
        trail.end(response)
        if request.http.handlesCookies { configuration.cookies.take(response, from: hop.url) }
    }

    /// Returns whether the answer leads to another exchange.
    @inline(never)
    private func follow(_ response: HTTPResponse) throws(ImageError) -> Bool {
        guard let next = try hop.following(response, maximum: configuration.maximumRedirects) else { return false }
        hop = next
        reporter.report(.redirected(to: next.url))
        return true
    }

    // MARK: - The answer

    /// What is kept is still current; where the answer is about another version, the whole is asked for.
    @inline(never)
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

    private func file(_ answer: HTTPResponse, _ resumption: Resumption?) async throws(ImageError) -> LoadedData {
        retryAfter = RetryAfter.delay(answer.headers, now: downloader.date())
        try checkIsWhole(answer, resumption)
        let response = configuration.responseModifier == nil ? answer : try await modified(answer)
        try configuration.check(response)
        let headCame = ContinuousClock.now
        let stored = remembered(response, resumption)
        var data = try await reporter.receiving { () async throws(ImageError) in
            try await collected(response, stored, resumption)
        }
        timeline.transfer = .now - headCame
        let received = data.count - (resumption?.beginning.count ?? 0)
        timeline.bytesReceived += received
        reporter.observation?.didReceive(received)
        if configuration.decryptor != nil { data = try await decrypted(data) }
        return LoadedData(data: data, source: .network, timeline: timeline, response: stored)
    }

    /// - Throws: `ImageError.invalidResponse` for a part of the file that nobody has asked for: it is no picture.
    private func checkIsWhole(_ answer: HTTPResponse, _ resumption: Resumption?) throws(ImageError) {
        guard answer.status == 206, hop.request.headers["Range"] == nil, resumption?.isContinued != true else { return }
        throw .invalidResponse("it is a part of the file, and the whole was asked for.")
    }

    @inline(never)
    private func modified(_ answer: HTTPResponse) async throws(ImageError) -> HTTPResponse {
        try await configuration.modified(answer)
    }

    @inline(never)
    private func decrypted(_ data: Data) async throws(ImageError) -> Data {
        try await configuration.decrypted(data)
    }

    @inline(never)
    private func remembered(_ response: HTTPResponse, _ resumption: Resumption?) -> StoredResponse {
        let stored = trail.stored(response, url: hop.request.url)
        return resumption?.completed(stored, by: response) ?? stored
    }

    private func collected(
        _ response: HTTPResponse, _ stored: StoredResponse, _ resumption: Resumption?
    ) async throws(ImageError) -> Data {
        guard let resumption else { return try await gathered(response, stored, nil) }
        return try await resumption.collecting(response, stored) { () async throws(ImageError) in
            try await gathered(response, stored, resumption)
        }
    }

    private func gathered(
        _ response: HTTPResponse, _ stored: StoredResponse, _ resumption: Resumption?
    ) async throws(ImageError) -> Data {
        let bounds = BodyCollector.Bounds(
            limit: request.limits.bytes, progress: ProgressFilter(interval: configuration.minimumProgressInterval),
            showsPieces: configuration.decryptor == nil)
        return try await BodyCollector.collect(response, stored, resumption, bounds, context)
    }
}
