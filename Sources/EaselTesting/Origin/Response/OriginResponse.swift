public import EaselFoundation
public import EaselCore

/// What the origin answers to a request, before faults.
///
/// A response of status 200 answers conditional requests (`ETag`, `Last-Modified`) and ranges by itself; a HEAD request
/// gets its head alone. Besides `Accept-Ranges` and what frames the body nothing is added, not even a `Date`.
public struct OriginResponse: Sendable {
    /// Where the body comes from.
    enum Content: Sendable {
        case data(Data)
        case image(TestImage, ImageFormat)
        case file(path: String)
    }

    /// The status code.
    public var status: Int
    /// The header fields, without those that frame the body.
    public var headers: HTTPHeaders
    /// What goes wrong, in this order.
    public var faults: [OriginFault] = []
    /// Who may have it; everyone where it is `nil`. Others get a 401 with a challenge.
    public var authorization: OriginAuthorization?
    /// Whether the body is sent with gzip to clients that accept it (`Content-Encoding`).
    public var isCompressed = false
    var content: Content

    init(status: Int = 200, type: String? = nil, content: Content = .data(Data())) {
        self.status = status
        headers = HTTPHeaders()
        headers["Content-Type"] = type
        self.content = content
    }
}

extension OriginResponse {
    /// These bytes.
    public static func bytes(_ data: Data, type: String = "application/octet-stream") -> OriginResponse {
        OriginResponse(type: type, content: .data(data))
    }

    /// This text, as UTF-8.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> OriginResponse {
        OriginResponse(type: type, content: .data(Data(text.utf8)))
    }

    /// This picture, encoded anew for each request. A format that cannot be written is answered with a 500 that says so.
    public static func image(_ image: TestImage, _ format: ImageFormat = .png) -> OriginResponse {
        OriginResponse(type: format.mediaType, content: .image(image, format))
    }

    /// What the file holds when the request comes; its type follows from its extension. A 404 where it cannot be read.
    public static func file(_ path: String) -> OriginResponse {
        OriginResponse(type: MediaType.ofFile(path), content: .file(path: path))
    }

    /// This status and no body.
    public static func status(_ status: Int) -> OriginResponse {
        OriginResponse(status: status)
    }

    /// A redirect to an absolute or relative location. Two that point at each other make a loop.
    public static func redirect(to location: String, status: Int = 302) -> OriginResponse {
        OriginResponse(status: status).with(headers: ["Location": location])
    }
}

extension OriginResponse {
    /// The same with these fields; each replaces one of its name.
    public func with(headers: HTTPHeaders) -> OriginResponse {
        var copy = self
        for field in headers.fields { copy.headers[field.name] = nil }
        for field in headers.fields { copy.headers.append(name: field.name, value: field.value) }
        return copy
    }

    /// The same with these faults behind those that it has.
    public func with(faults: [OriginFault]) -> OriginResponse {
        var copy = self
        copy.faults += faults
        return copy
    }

    /// The same for those only who bring these credentials.
    public func requiring(_ authorization: OriginAuthorization) -> OriginResponse {
        var copy = self
        copy.authorization = authorization
        return copy
    }

    /// The same, sent with gzip to clients that accept it.
    public func compressed() -> OriginResponse {
        var copy = self
        copy.isCompressed = true
        return copy
    }
}
