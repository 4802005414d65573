public import EaselFoundation
public import EaselCore
import CDeflate

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

    /// This image, encoded anew for each request. A format that cannot be written is answered with a 500 that says so.
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

extension OriginResponse {
    /// Reads and encodes the body, and compresses it where `request` accepts that. Blocks.
    func answer(to request: OriginRequest) -> Answer {
        do throws(ImageError) {
            let body = try body()
            guard isCompressed, request.headers.all("Accept-Encoding").contains(where: { $0.contains("gzip") }) else {
                return Answer(to: request, with: self, body: body)
            }
            let compressed = with(headers: ["Content-Encoding": "gzip"])
            return Answer(to: request, with: compressed, body: try Gzip.compress(body))
        } catch {
            let isMissing = if case .unreadable = error { true } else { false }
            return Answer(
                status: isMissing ? 404 : 500, headers: ["Content-Type": "text/plain; charset=utf-8"],
                body: Data(String(describing: error).utf8))
        }
    }

    private func body() throws(ImageError) -> Data {
        switch content {
        case .data(let data): return data
        case .image(let image, let format): return try image.encoded(as: format)
        case .file(let path):
            do {
                return try Data(contentsOf: URL(filePath: path))
            } catch {
                throw .unreadable(path: path, reason: String(describing: error))
            }
        }
    }
}

/// The credentials that a route of the origin asks for.
public enum OriginAuthorization: Sendable, Equatable {
    /// A name and a password (RFC 7617).
    case basic(user: String, password: String)
    /// A token (RFC 6750).
    case bearer(String)

    /// The `Authorization` field that is accepted.
    public var field: String {
        switch self {
        case .basic(let user, let password): "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        }
    }

    /// The `WWW-Authenticate` field that everyone else gets.
    var challenge: String {
        switch self {
        case .basic: "Basic realm=\"origin\", charset=\"UTF-8\""
        case .bearer: "Bearer realm=\"origin\""
        }
    }
}

/// Writes gzip (RFC 1952), for answers with `Content-Encoding`.
enum Gzip {
    /// Blocks. Compresses as hard as it can, so that a small answer can hold a very large body.
    static func compress(_ data: Data) throws(ImageError) -> Data {
        guard let compressor = libdeflate_alloc_compressor(12) else {
            throw .unsupported("There is no memory to compress an answer.")
        }
        defer { libdeflate_free_compressor(compressor) }
        var output = [UInt8](repeating: 0, count: libdeflate_gzip_compress_bound(compressor, data.count))
        let count = data.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                libdeflate_gzip_compress(compressor, input.baseAddress, input.count, output.baseAddress, output.count)
            }
        }
        return Data(output.prefix(count))
    }
}

/// The content type of a file that is served.
enum MediaType {
    /// By the extension, as web servers do; an unknown one is a stream of bytes.
    static func ofFile(_ path: String) -> String {
        guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return unknown }
        let fileExtension = name[name.index(after: dot)...].lowercased()
        return special[fileExtension]
            ?? ImageFormat.known.first { $0.fileExtension == fileExtension }?.mediaType
            ?? unknown
    }

    private static let unknown = "application/octet-stream"

    /// What is no image, and the second spellings of images.
    private static let special = [
        "html": "text/html; charset=utf-8", "txt": "text/plain; charset=utf-8", "json": "application/json",
        "svg": "image/svg+xml", "apng": "image/apng", "jpeg": "image/jpeg", "tiff": "image/tiff",
    ]
}
