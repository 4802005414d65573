import EaselFoundation
import EaselCore

/// What a sound server sends for a response and a request: status, fields and body before any fault.
struct Answer: Equatable {
    var status: Int
    /// All fields but those that frame the body.
    var headers: HTTPHeaders
    var body: Data
    /// What `Content-Length` says; `nil` for an answer that has none (204 and 304).
    var length: Int?
    /// Whether no body may follow the head: the answers to HEAD, 204 and 304 (RFC 9110 6.4.1).
    var isHeadOnly = false

    /// - Parameter body: the response's content, already read, encoded and compressed.
    init(to request: OriginRequest, with response: OriginResponse, body: Data) {
        status = response.status
        headers = response.headers
        self.body = body
        if let authorization = response.authorization, request.headers["Authorization"] != authorization.field {
            self = Answer(status: 401, headers: ["WWW-Authenticate": authorization.challenge])
        } else if status == 200, ["GET", "HEAD"].contains(request.method) {
            // The order of RFC 9110 13.2.2.
            if ConditionalRequest(request).isCurrent(headers) {
                status = 304
            } else {
                applyRange(of: request)
            }
        }
        length = [204, 304].contains(status) ? nil : self.body.count
        isHeadOnly = length == nil || request.method == "HEAD"
        if isHeadOnly { self.body = Data() }
    }

    init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
        length = body.count
    }

    private mutating func applyRange(of request: OriginRequest) {
        if headers["Accept-Ranges"] == nil { headers["Accept-Ranges"] = "bytes" }
        guard let field = request.headers["Range"], headers["Accept-Ranges"] != "none",
            ConditionalRequest(request).allowsRange(of: headers)
        else { return }
        switch ByteRange(field: field, length: body.count) {
        case .part(let range):
            status = 206
            headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
            body = Data(body.dropFirst(range.lowerBound).prefix(range.count))
        case .unsatisfiable:
            status = 416
            headers["Content-Range"] = "bytes */\(body.count)"
            headers["Content-Type"] = nil
            body = Data()
        case nil:
            break
        }
    }
}
