import EaselFoundation

/// One attempt of a download: exchanges until one is not a redirect. Used by one task.
final class DownloadAttempt {
    /// The times of this attempt and the attempts before.
    private(set) var timeline: LoadTimeline
    /// The wait that the server requests.
    private(set) var retryAfter: Duration?

    private let downloader: ImageDownloader
    private let configuration: ImageDownloader.Configuration
    private let request: ImageRequest
    private let context: LoadContext
    private let reporter: DownloadReporter
    private var hop: RedirectHop
    /// The fields of the first request. A redirect to another host gets fewer.
    private let firstHeaders: HTTPHeaders
    /// The dates of the last request and the head of its response.
    private var requested: Date
    private var received: Date
    private var redirectsFreshUntil: Date?

    /// - Parameters:
    ///   - last: The previous attempt, if any.
    ///   - waited: How long this one waited for admission.
    init(
        _ downloader: ImageDownloader, _ request: ImageRequest, _ context: LoadContext, _ reporter: DownloadReporter,
        after last: DownloadAttempt?, waited: Duration = .zero
    ) {
        self.downloader = downloader
        self.request = request
        self.context = context
        self.reporter = reporter
        timeline = last?.timeline ?? LoadTimeline()
        timeline[.queued] = (timeline[.queued] ?? .zero) + waited
        configuration = downloader.configuration.override(with: request.http)
        hop = RedirectHop(request, defaults: configuration.headers)
        firstHeaders = hop.request.headers
        requested = downloader.clock.date()
        received = requested
    }

    /// Downloads the file.
    ///
    /// - Throws: The errors of `ImageDownloader.load`.
    func run() async throws(ImageError) -> LoadedData {
        let first = try await configuration.modify(hop.request)
        try hop.replace(by: first)
        let resumption = await makeResumption()
        while true {
            let response = try await send(try makeRequest(resumption))
            if let next = try hop.makeNext(after: response, maximum: configuration.maximumRedirects) {
                hop = next
                reporter.report(.redirected(to: next.url))
                continue
            }
            if response.status == 304, let stored = request.http.stored { return try await confirm(stored, response) }
            if let resumption, await resumption.startsOver(after: response) { continue }
            return try await load(response, resumption)
        }
    }

    /// Creates the resumption. A cached file has no partial download, unless an earlier attempt of this download has
    /// left one.
    private func makeResumption() async -> Resumption? {
        guard let folder = downloader.partialFolder(for: request) else { return nil }
        return await Resumption(request, in: folder, searches: request.http.stored == nil || timeline.requests > 0)
    }

    private func makeRequest(_ resumption: Resumption?) throws(ImageError) -> HTTPRequest {
        let exchange = try hop.makeRequest(configuration, handlesCookies: request.http.handlesCookies)
        let validating = request.http.stored?.addValidators(to: exchange) ?? exchange
        guard context.willSendRequest() else { throw .cancelled }
        return resumption?.addRange(to: validating) ?? validating
    }

    private func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        timeline.requests += 1
        requested = downloader.clock.date()
        let sent = ContinuousClock.now
        reporter.observation?.didSendRequest()
        let response = try await reporter.runStage(.firstByte) { () async throws(ImageError) in
            try await downloader.transport.send(request)
        }
        reporter.report(
            .responded(status: response.status, headers: response.headers, connect: response.connectTime))
        timeline[.firstByte] = .now - sent
        timeline.connect = response.connectTime
        received = downloader.clock.date()
        if (300..<400).contains(response.status), response.status != 304 {
            let end = StoredResponse.redirectFreshUntil(
                status: response.status, headers: response.headers, requested: requested, received: received)
            redirectsFreshUntil = min(redirectsFreshUntil ?? end, end)
        }
        if self.request.http.handlesCookies { configuration.cookies.store(response, from: hop.url) }
        return response
    }

    // MARK: - Responses

    /// Returns the cached file after a 304, or loads the whole file if the response is about another version.
    private func confirm(_ stored: StoredResponse, _ response: HTTPResponse) async throws(ImageError) -> LoadedData {
        // The connection is reusable only after the end of the body, which is empty.
        _ = try await response.body.next()
        let confirmed = stored.update(
            by: response.headers, request: firstHeaders, requested: requested, received: received)
        if var confirmed {
            confirmed.redirectsFreshUntil = redirectsFreshUntil
            return .notModified(confirmed, timeline: timeline)
        }
        let whole = DownloadAttempt(downloader, request.validating(nil), context, reporter, after: self)
        defer { (timeline, retryAfter) = (whole.timeline, whole.retryAfter) }
        return try await whole.run()
    }

    private func load(_ original: HTTPResponse, _ resumption: Resumption?) async throws(ImageError) -> LoadedData {
        retryAfter = RetryAfter.delay(original.headers, now: downloader.clock.date())
        if original.status == 206, hop.request.headers["Range"] == nil, resumption?.isContinued != true {
            throw .invalidResponse("it is part of the file, but the whole file was requested.")
        }
        let response = try await configuration.modify(original)
        try configuration.check(response, isRemainder: resumption?.isContinued == true)
        let bodyStarted = ContinuousClock.now
        var stored = StoredResponse(
            status: response.status, headers: response.headers, url: hop.request.url, request: firstHeaders,
            requested: requested, received: received)
        stored.redirectsFreshUntil = redirectsFreshUntil
        if let resumption { stored = resumption.complete(stored) }
        var data = try await reporter.runStage(.transfer) { () async throws(ImageError) in
            guard let resumption else { return try await readBody(response, stored, nil) }
            return try await resumption.collect(response) { () async throws(ImageError) in
                try await readBody(response, stored, resumption)
            }
        }
        timeline[.transfer] = .now - bodyStarted
        let count = data.count - (resumption?.beginning.count ?? 0)
        timeline.bytesReceived += count
        reporter.observation?.didReceive(count)
        data = try await configuration.decrypt(data)
        return LoadedData(data: data, source: .network, timeline: timeline, response: stored)
    }

    /// Reads the body, after the partial download. Counts the bytes, because the announced length can be wrong.
    ///
    /// - Throws: `ImageError.tooLarge`, `.badData` for an empty body, and the errors of the transport.
    private func readBody(
        _ response: HTTPResponse, _ stored: StoredResponse, _ resumption: Resumption?
    ) async throws(ImageError) -> Data {
        let limit = request.limits.bytes
        let expected = resumption?.total(with: response) ?? response.bodyLength
        if let expected, expected > limit { throw .tooLarge(.bytes(expected, limit: limit)) }
        let file = ArrivingFile(beginning: resumption?.beginning ?? Data(), expected: expected, response: stored)
        // Also if the body fails.
        defer { file.finish() }
        var received = file.count
        let interval = configuration.minimumProgressInterval
        let step = interval > 0 ? Double(expected ?? 0) * min(interval, 1) : 0
        var nextReport = 0.0
        func report() {
            guard Double(received) >= nextReport || received >= expected ?? .max else { return }
            nextReport = Double(received) + step
            context.report(received: received, expected: expected)
        }
        report()
        // Encrypted bytes have no preview.
        if configuration.decryptor == nil { context.report(.arriving(file)) }
        while let chunk = try await response.body.next() {
            received += chunk.count
            guard received <= limit else { throw .tooLarge(.bytes(received, limit: limit)) }
            file.append(chunk)
            await resumption?.write(chunk, of: file, response)
            report()
        }
        guard received > 0 else { throw .badData("The server's answer is empty. Check the URL in a browser.") }
        return file.finish()
    }
}

extension ImageRequest {
    /// Returns the request with another response to revalidate.
    func validating(_ stored: StoredResponse?) -> ImageRequest {
        var request = self
        request.fields.http.stored = stored
        return request
    }
}
