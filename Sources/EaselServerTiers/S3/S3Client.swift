#if Server
import EaselCore
import EaselFoundation

/// The requests to one bucket.
struct S3Client: Sendable {
    /// A response whose body was read.
    struct Response {
        let status: Int
        let headers: HTTPHeaders
        let body: Data
    }

    let endpoint: S3Endpoint
    let bucket: String
    let transport: any HTTPTransport
    var timeouts = HTTPTimeouts(connect: .seconds(5), idle: .seconds(5), total: .seconds(30))
    var now: @Sendable () -> Date = { Date() }

    /// Sends a request, and reads at most `limit` bytes of the response.
    ///
    /// - Throws: `TierError.unreachable` also for an error of the server itself, `.tooLarge`.
    func send(
        _ method: String, _ key: String, query: [SignatureV4.Parameter] = [], headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8]? = nil, limit: Int = 1 << 20
    ) async throws(TierError) -> Response {
        let location = try S3Location(bucket: bucket, key: key)
        var request = try endpoint.request(method, location, query: query, headers: headers, body: body, at: now())
        request.timeouts = timeouts
        let response: Response
        do throws(ImageError) {
            response = try await exchange(request, limit: limit)
        } catch {
            throw TierError(error)
        }
        switch response.status {
        case 429, 500...: throw TierError(.unreachable, "The object store answered with status \(response.status).")
        case 401, 403: throw Self.refusal(response)
        default: return response
        }
    }

    private func exchange(_ request: HTTPRequest, limit: Int) async throws(ImageError) -> Response {
        let response = try await transport.send(request)
        if let length = response.bodyLength, length > limit { throw .tooLarge(.bytes(length, limit: limit)) }
        var body = Data(capacity: response.bodyLength ?? 0)
        while let chunk = try await response.body.next() {
            guard chunk.count <= limit - body.count else {
                throw .tooLarge(.bytes(body.count + chunk.count, limit: limit))
            }
            body.append(contentsOf: chunk)
        }
        return Response(status: response.status, headers: response.headers, body: body)
    }

    /// Returns the error of a refused request: the store may deny access to one object, or not accept the credentials.
    private static func refusal(_ response: Response) -> TierError {
        let code = S3Listing.elements("Code", in: response.body).first ?? ""
        return TierError(
            code == "AccessDenied" ? .refused : .unauthorized,
            "The object store answered with status \(response.status). \(code.readable)")
    }
}

extension TierError {
    /// Creates the error for a failed exchange.
    init(_ error: ImageError) {
        let code: Code =
            switch error.code {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .invalidated: .shutDown
            case .tooLarge: .tooLarge
            case .invalidResponse: .invalidReply
            case .unsupported, .invalidURL: .refused
            default: .unreachable
            }
        self.init(code, error.message)
    }
}
#endif
