#if Server
import EaselCore
import EaselFoundation
import EaselServerURLs
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Answers the requests of image routes.
final class RequestHandler: Sendable {
    /// What can change while the server runs.
    struct Changeable: Sendable {
        var parser: URLParser
        /// Whether the server accepts no new work, so that a load balancer stops sending requests.
        var isStopping = false
    }

    let service: ImageService
    let rules: ResponseRules
    let operations: Operations
    private let identification: ClientIdentification
    private let changeable: Mutex<Changeable>
    private let log: LineLog?
    private let accepts = AcceptCache()
    private var metrics: ServerMetrics { service.metrics }

    init(
        service: ImageService, rules: ResponseRules, parser: URLParser, operations: Operations,
        identification: ClientIdentification, log: LineLog?
    ) {
        self.service = service
        self.rules = rules
        self.operations = operations
        self.identification = identification
        self.log = log
        changeable = Mutex(Changeable(parser: parser))
    }

    /// Replaces the rules of URLs. Requests that have been parsed continue.
    func use(_ parser: URLParser) { changeable.withLock { $0.parser = parser } }

    /// Reports that the server is not ready any more.
    func beginStopping() { changeable.withLock { $0.isStopping = true } }

    /// Writes the lines of the log that wait. Blocks.
    func flushLog() { log?.flush() }

    /// Returns the response to a request.
    ///
    /// - Parameter path: The raw path below the routes, with its query.
    func respond(to head: HTTPTypes.HTTPRequest, path: Substring, _ connection: ConnectionFacts) async -> Response {
        let started = ContinuousClock.now
        var entry = LogEntry(method: head.method.rawValue, path: path)
        var response = await self.response(to: head, path: path, connection, &entry)
        if entry.isImage {
            record(entry, response.status.code, response.body.contentLength ?? 0, since: started, head, connection)
        }
        if head.method == .head {
            let length = response.headers[.contentLength]
            response = Response(status: response.status, headers: response.headers)
            response.headers[.contentLength] = length
        }
        return response
    }

    /// Returns the response to a request for a result in memory, without waiting; `nil` for all other requests.
    func respondFromMemory(to head: HTTPTypes.HTTPRequest, _ connection: ConnectionFacts) -> ResponseParts? {
        guard head.method == .get, let raw = head.path, !head.needsAttention else { return nil }
        let started = ContinuousClock.now
        let (parser, isStopping) = changeable.withLock { ($0.parser, $0.isStopping) }
        let path = Self.withoutQuery(raw[...])
        var entry = LogEntry(method: head.method.rawValue, path: path)
        let now = Date()
        guard !isStopping, let parsed = parser.known(String(path), now: now) else { return nil }
        var refreshes = false
        let key = ResultKey(parsed, variant(of: parsed, head.headerFields))
        guard let answer = service.answerInMemory(key, now: now, refreshes: &refreshes), !refreshes else { return nil }
        var parts = respond(with: answer, parsed, head, now, &entry)
        parts.fields[.date] = DateField.text(now)
        record(entry, parts.status.code, parts.body?.readableBytes ?? 0, since: started, head, connection)
        return parts
    }

    /// Counts a response, and writes it to the log.
    private func record(
        _ entry: LogEntry, _ status: Int, _ bytes: Int, since started: ContinuousClock.Instant,
        _ head: HTTPTypes.HTTPRequest, _ connection: ConnectionFacts
    ) {
        let duration = ContinuousClock.now - started
        metrics.countResponse(status: status, code: entry.code, bytes: bytes, duration)
        guard let log else { return }
        let client = identification.address(of: head, connection)
        log.write(entry.line(status: status, bytes: bytes, duration: duration, client: client))
    }

    private static func withoutQuery(_ path: Substring) -> Substring {
        path.utf8.firstIndex(of: UInt8(ascii: "?")).map { path[..<$0] } ?? path
    }

    private func response(
        to head: HTTPTypes.HTTPRequest, path: Substring, _ connection: ConnectionFacts, _ entry: inout LogEntry
    ) async -> Response {
        let (parser, isStopping) = changeable.withLock { ($0.parser, $0.isStopping) }
        let path = Self.withoutQuery(path)
        if let response = operations.response(to: path, isStopping: isStopping, service) { return response }
        entry.isImage = true
        do throws(ServerError) {
            switch head.method {
            case .get, .head: return try await image(head, String(path), parser, connection, &entry)
            case .options: return preflight(head)
            case .purge: return try await purge(head, String(path), parser)
            default: throw ServerError(405, "methodNotAllowed", "Images are read with GET or HEAD.")
            }
        } catch {
            entry.code = error.code
            switch error.code {
            case "deadline": metrics.count(.deadlines)
            case "cancelled": metrics.count(.disconnects)
            default: break
            }
            var response = ProblemDetails.response(for: error, rules: rules)
            if error.status == 405 { response.headers[.allow] = "GET, HEAD, OPTIONS" }
            return response
        }
    }

    // MARK: - Images

    private func image(
        _ head: HTTPTypes.HTTPRequest, _ path: String, _ parser: URLParser, _ connection: ConnectionFacts,
        _ entry: inout LogEntry
    ) async throws(ServerError) -> Response {
        let now = Date()
        let parsed = try parser.parse(path, now: now)
        let variant = variant(of: parsed, head.headerFields)
        let key = ResultKey(parsed, variant)
        var refreshes = false
        if let answer = service.answerInMemory(key, now: now, refreshes: &refreshes) {
            if refreshes {
                let client = identification.key(of: head, connection)
                service.refresh(parsed, variant, client, answer.result.result, key)
            }
            return respond(with: answer, parsed, head, now, &entry).response
        }
        let client = identification.key(of: head, connection)
        let trace = TraceContext(
            traceParent: head.headerFields[.traceparent], state: head.headerFields[.tracestate])
        entry.trace = trace?.traceID
        let span = RequestSpan(head)
        let outcome = await span.run {
            await TraceContext.$current.withValue(trace) {
                await connection.cancellingOnDisconnect { [service] in await service.answer(parsed, variant, client) }
            }
        }
        do throws(ServerError) {
            let response = respond(with: try outcome.get(), parsed, head, Date(), &entry).response
            span.end(status: response.status.code)
            return response
        } catch {
            span.end(status: error.status)
            throw error
        }
    }

    private func variant(of parsed: ParsedURL, _ fields: HTTPFields) -> ResultVariant {
        var variant = ResultVariant()
        if parsed.isNegotiated, let accept = fields[.accept] { variant.accepts = accepts.formats(accept) }
        if parsed.usesPixelRatio || parsed.usesWidth {
            variant.hints =
                ClientHints(
                    pixelRatio: parsed.usesPixelRatio ? fields[.newDensityHint] ?? fields[.densityHint] : nil,
                    width: parsed.usesWidth ? fields[.newWidthHint] ?? fields[.widthHint] : nil
                ).rounded
        }
        return variant
    }

    private func respond(
        with answer: ImageService.Answer, _ parsed: ParsedURL, _ head: HTTPTypes.HTTPRequest, _ now: Date,
        _ entry: inout LogEntry
    ) -> ResponseParts {
        entry.origin = answer.origin
        entry.isCoalesced = answer.isCoalesced
        metrics.count(origin: answer.origin)
        let result = answer.result.result
        var fields = answer.result.fields(at: now)
        if let expires = parsed.url.expires {
            // Other URLs share the result.
            let lifetime = result.lifetime.ending(at: expires)
            fields[.cacheControl] = ResponseRules.cacheControl(of: lifetime, now: now)
            if lifetime.visibility != .nobody { fields[.expires] = DateField.text(lifetime.freshUntil) }
        }
        if parsed.url.kind == .image,
            let disposition = rules.disposition(
                filename: parsed.url.options.filename, isAttachment: parsed.url.options.isAttachment,
                extension: { Self.fileExtension(of: result.mediaType) })
        {
            fields[.contentDisposition] = disposition
        }
        let requested = head.headerFields
        let representation = Representation(
            entityTag: result.entityTag, length: result.body.readableBytes, ifNoneMatch: requested[.ifNoneMatch],
            range: head.method == .get ? requested[.range] : nil, ifRange: requested[.ifRange])
        switch representation {
        case .whole:
            return ResponseParts(status: .ok, fields: fields, body: result.body)
        case .part(let range):
            fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(result.body.readableBytes)"
            let start = result.body.readerIndex + range.lowerBound
            let part = result.body.getSlice(at: start, length: range.count) ?? ByteBuffer()
            fields[.contentLength] = "\(part.readableBytes)"
            return ResponseParts(status: .partialContent, fields: fields, body: part)
        case .notModified:
            fields[.contentType] = nil
            fields[.acceptRanges] = nil
            return ResponseParts(status: .notModified, fields: fields)
        case .unsatisfiable:
            fields[.contentRange] = "bytes */\(result.body.readableBytes)"
            fields[.contentType] = nil
            fields[.contentLength] = "0"
            return ResponseParts(status: .rangeNotSatisfiable, fields: fields)
        }
    }

    private static func fileExtension(of mediaType: String) -> String {
        ImageFormat.known.first { $0.mediaType == mediaType }?.fileExtension ?? "bin"
    }

    // MARK: - Other methods

    /// Answers a browser that asks whether another site may read images.
    private func preflight(_ head: HTTPTypes.HTTPRequest) -> Response {
        var fields = HTTPFields()
        rules.addCommon(to: &fields)
        fields[.accessControlAllowMethods] = "GET, HEAD"
        fields[.accessControlAllowHeaders] = "Range, If-None-Match, DPR, Width"
        fields[.accessControlMaxAge] = "86400"
        return Response(status: .noContent, headers: fields)
    }

    /// Removes all results of the source of a URL. The URL needs a valid signature, and the server a token.
    private func purge(
        _ head: HTTPTypes.HTTPRequest, _ path: String, _ parser: URLParser
    ) async throws(ServerError) -> Response {
        guard operations.allowsPurge(head.headerFields[.authorization]) else {
            throw ServerError(403, "purgeForbidden", "PURGE needs the server's token as Bearer in Authorization.")
        }
        let parsed = try parser.parse(path, now: Date())
        guard await service.removeAll(of: parsed.url) else {
            throw ServerError(503, "purgeIncomplete", "A shared cache did not answer. Try again later.", retryAfter: 5)
        }
        return Response(status: .noContent)
    }
}

extension HTTPTypes.HTTPRequest {
    /// Whether the connection does more for the request than to send a response: it has a body, ends the connection, or
    /// expects something.
    fileprivate var needsAttention: Bool {
        headerFields.contains { field in
            switch field.name {
            case .contentLength, .transferEncoding, .expect, .upgrade: true
            case .connection: field.value.lowercased() != "keep-alive"
            default: false
            }
        }
    }
}

extension HTTPTypes.HTTPRequest.Method {
    static let purge: HTTPTypes.HTTPRequest.Method = {
        guard let method = HTTPTypes.HTTPRequest.Method("PURGE") else { preconditionFailure("PURGE is a token.") }
        return method
    }()
}

extension ClientHints {
    /// The hints with the ratio rounded to quarters and the width up to multiples of 16, so that clients do not create
    /// a result for every number.
    var rounded: ClientHints {
        var hints = self
        if let ratio = pixelRatio { hints.pixelRatio = max(0.25, (ratio * 4).rounded() / 4) }
        if let width { hints.width = (width + 15) / 16 * 16 }
        return hints
    }
}
#endif
