internal import EaselCore
internal import EaselTransport

final class Exchange: HTTPExchange {
    let request: HTTPRequest
    let url: RequestURL
    let head: RequestHead
    let response: ResponseStream
    let engine: Engine

    /// - Throws: `ImageError.invalidURL` or `.unsupported` for a request that is invalid in HTTP.
    init(_ request: HTTPRequest, engine: Engine) throws(ImageError) {
        url = try RequestURL(request.url)
        head = try RequestHead(method: request.method, headers: request.headers, hasBody: request.body != nil)
        response = ResponseStream(highWatermark: request.highWatermark)
        self.request = request
        self.engine = engine
    }

    func startTransfer() throws(ImageError) { try engine.start(self) }

    func resumeTransfer() { engine.post(.resume(self)) }

    func stopTransfer() { engine.post(.cancel(self)) }
}

/// The method and header lines for libcurl, validated against header injection (RFC 9110 5.5, 17.1).
struct RequestHead: Sendable, Hashable {
    let method: String
    /// The lines in libcurl's notation: `Name: value`, and `Name;` for an empty value.
    let lines: [String]

    /// - Throws: `ImageError.unsupported` for a method, name or value that is invalid in HTTP.
    init(method: String, headers: HTTPHeaders, hasBody: Bool = false) throws(ImageError) {
        try headers.check(method: method)
        self.method = method
        var lines = headers.fields.map { field in
            field.value[...].trimmingBlanks.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        }
        // Images are already compressed. Compressing them again wastes time and hides the length of the body.
        if headers["Accept-Encoding"] == nil { lines.append("Accept-Encoding: identity") }
        // Prevents libcurl from adding `Accept: */*`.
        if headers["Accept"] == nil { lines.append("Accept:") }
        if hasBody {
            // Prevents libcurl from adding the type of a form, and from waiting for an interim response.
            if headers["Content-Type"] == nil { lines.append("Content-Type:") }
            if headers["Expect"] == nil { lines.append("Expect:") }
        }
        self.lines = lines
    }
}
