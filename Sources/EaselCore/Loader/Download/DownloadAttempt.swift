import EaselFoundation

/// One attempt at a download: exchanges until one is not a redirect. Used by one task.
final class DownloadAttempt {
    /// The times of this attempt and the attempts before.
    private(set) var timeline: LoadTimeline
    /// The wait that the server asks for.
    private(set) var retryAfter: Duration?

    private let downloader: ImageDownloader
    private let configuration: ImageDownloader.Configuration
    private let request: ImageRequest
    private let context: LoadContext
    private let reporter: DownloadReporter
    private var hop: RedirectHop
    private var trail: ResponseTrail
    private var sent = ContinuousClock.now

    /// - Parameters:
    ///   - last: the attempt before, if any.
    ///   - waited: how long this one waited for its admission.
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

    /// Downloads the file.
    ///
    /// - Throws: the errors of `ImageDownloader.load`.
    func run() async throws(ImageError) -> LoadedData {
        let first = try await configuration.modify(hop.request)
        try hop.replace(by: first)
        let resumption = await resumption()
        while true {
            let response = try await send(try nextRequest(resumption))
            if let next = try hop.following(response, maximum: configuration.maximumRedirects) {
                hop = next
                reporter.report(.redirected(to: next.url))
                continue
            }
            if response.status == 304, let stored = request.http.stored { return try await confirm(stored, response) }
            if let resumption, await resumption.startsOver(response) { continue }
            return try await load(response, resumption)
        }
    }

    /// There is no partial download of a cached file, unless an attempt at a newer one has just left it.
    private func resumption() async -> Resumption? {
        guard let folder = downloader.partialFolder(for: request) else { return nil }
        return await Resumption(request, in: folder, looks: request.http.stored == nil || timeline.requests > 0)
    }

    private func nextRequest(_ resumption: Resumption?) throws(ImageError) -> HTTPRequest {
        let exchange = try hop.exchange(configuration, handlesCookies: request.http.handlesCookies)
        let validating = request.http.stored?.asking(exchange) ?? exchange
        guard context.willSendRequest() else { throw .cancelled }
        return resumption?.asking(validating) ?? validating
    }

    private func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
        timeline.requests += 1
        trail.begin()
        sent = .now
        reporter.observation?.didSendRequest()
        let response = try await reporter.during(.firstByte) { () async throws(ImageError) in
            try await downloader.transport.send(request)
        }
        reporter.report(
            .responded(status: response.status, headers: response.headers, connect: response.connectTime))
        timeline.firstByte = .now - sent
        timeline.connect = response.connectTime
        trail.end(response)
        if self.request.http.handlesCookies { configuration.cookies.take(response, from: hop.url) }
        return response
    }

    // MARK: - Responses

    /// The cached file after a 304; if that is about another version, the whole file.
    private func confirm(_ stored: StoredResponse, _ response: HTTPResponse) async throws(ImageError) -> LoadedData {
        // The connection is reusable only after the end of the body, which is empty.
        _ = try await response.body.next()
        if let confirmed = trail.confirmed(stored, response) { return .notModified(confirmed, timeline: timeline) }
        let whole = DownloadAttempt(downloader, request.validating(nil), context, reporter, after: self)
        defer { (timeline, retryAfter) = (whole.timeline, whole.retryAfter) }
        return try await whole.run()
    }

    private func load(_ received: HTTPResponse, _ resumption: Resumption?) async throws(ImageError) -> LoadedData {
        retryAfter = RetryAfter.delay(received.headers, now: downloader.date())
        if received.status == 206, hop.request.headers["Range"] == nil, resumption?.isContinued != true {
            throw .invalidResponse("it is a part of the file, and the whole was asked for.")
        }
        let response = try await configuration.modify(received)
        try configuration.check(response)
        let bodyStarted = ContinuousClock.now
        var stored = trail.stored(response, url: hop.request.url)
        if let resumption { stored = resumption.completed(stored, by: response) }
        var data = try await reporter.during(.transfer) { () async throws(ImageError) in
            guard let resumption else { return try await readBody(response, stored, nil) }
            return try await resumption.collecting(response, stored) { () async throws(ImageError) in
                try await readBody(response, stored, resumption)
            }
        }
        timeline.transfer = .now - bodyStarted
        let count = data.count - (resumption?.beginning.count ?? 0)
        timeline.bytesReceived += count
        reporter.observation?.didReceive(count)
        data = try await configuration.decrypt(data)
        return LoadedData(data: data, source: .network, timeline: timeline, response: stored)
    }

    /// Reads the whole body, after the partial download. The bytes are counted: the announced length may be missing or
    /// wrong.
    ///
    /// - Throws: `ImageError.tooLarge`, `.badData` for an empty body, and the errors of the transport.
    private func readBody(
        _ response: HTTPResponse, _ stored: StoredResponse, _ resumption: Resumption?
    ) async throws(ImageError) -> Data {
        let limit = request.limits.bytes
        let expected = resumption?.total ?? response.bodyLength
        if let expected, expected > limit { throw .tooLarge(.bytes(expected, limit: limit)) }
        let file = ArrivingFile(beginning: resumption?.beginning ?? Data(), expected: expected, response: stored)
        var received = file.count
        var progress = ProgressFilter(interval: configuration.minimumProgressInterval)
        func report() {
            if progress.passes(received: received, expected: expected) {
                context.report(received: received, expected: expected)
            }
        }
        report()
        // Encrypted bytes have no preview.
        if configuration.decryptor == nil { context.report(.arriving(file)) }
        while let chunk = try await response.body.next() {
            received += chunk.count
            guard received <= limit else { throw .tooLarge(.bytes(received, limit: limit)) }
            file.append(chunk)
            if let resumption { await resumption.keep(chunk, of: file) }
            report()
        }
        guard received > 0 else {
            throw .badData("The server's answer is empty. Check the URL in a browser.")
        }
        return file.finish()
    }
}

/// Passes the first progress, the last, and each that is far enough from the one before.
struct ProgressFilter: Sendable {
    private let interval: Double
    private var lastReceived: Int?

    /// - Parameter interval: a part of the whole, from 0 to 1.
    init(interval: Double) {
        self.interval = min(max(interval.isFinite ? interval : 0, 0), 1)
    }

    mutating func passes(received: Int, expected: Int?) -> Bool {
        if let lastReceived, let expected, expected > 0, received < expected,
            Double(received - lastReceived) < Double(expected) * interval
        {
            return false
        }
        lastReceived = received
        return true
    }
}

/// The times and redirects of one attempt, for its `StoredResponse`.
private struct ResponseTrail {
    /// The fields of the first request, which the server could choose by. A redirect to another host gets fewer.
    private let request: HTTPHeaders
    private let date: @Sendable () -> Date
    private var requested: Date
    private var received: Date
    private var redirectsFreshUntil: Date?

    init(request: HTTPHeaders, date: @escaping @Sendable () -> Date) {
        self.request = request
        self.date = date
        requested = date()
        received = requested
    }

    /// Before a request is sent.
    mutating func begin() {
        requested = date()
    }

    /// After its head is received.
    mutating func end(_ response: HTTPResponse) {
        received = date()
        guard (300..<400).contains(response.status), response.status != 304 else { return }
        let end = StoredResponse.redirectFreshUntil(
            status: response.status, headers: response.headers, requested: requested, received: received)
        redirectsFreshUntil = min(redirectsFreshUntil ?? end, end)
    }

    /// The last response, of `url`.
    func stored(_ response: HTTPResponse, url: String) -> StoredResponse {
        var stored = StoredResponse(
            status: response.status, headers: response.headers, url: url, request: request, requested: requested,
            received: received)
        stored.redirectsFreshUntil = redirectsFreshUntil
        return stored
    }

    /// `stored` after a 304; `nil` if that is about another version.
    func confirmed(_ stored: StoredResponse, _ response: HTTPResponse) -> StoredResponse? {
        var confirmed = stored.confirmed(
            by: response.headers, request: request, requested: requested, received: received)
        confirmed?.redirectsFreshUntil = redirectsFreshUntil
        return confirmed
    }
}

extension ImageRequest {
    /// The same load, which revalidates `stored`.
    func validating(_ stored: StoredResponse?) -> ImageRequest {
        var request = self
        request.fields.http.stored = stored
        return request
    }
}
