public import EaselFoundation
public import EaselCore
import CDeflate

/// A response of the origin, before faults.
///
/// A response of status 200 supports conditional requests (`ETag`, `Last-Modified`), ranges and HEAD. No fields are
/// added except `Accept-Ranges` and those that frame the body, not even `Date`.
public struct OriginResponse: Sendable {
    enum Content: Sendable {
        case data(Data)
        case image(TestImage, ImageFormat)
        case file(path: String)
    }

    /// The status code.
    public var status: Int
    /// The header fields, without those that frame the body.
    public var headers: HTTPHeaders
    /// The faults, in order.
    public var faults: [OriginFault] = []
    /// The required credentials; `nil` for none. Other requests receive a 401 with a challenge.
    public var authorization: OriginAuthorization?
    /// Whether the body is compressed with gzip for clients that accept it (`Content-Encoding`).
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
    /// Returns a response with bytes.
    public static func bytes(_ data: Data, type: String = "application/octet-stream") -> OriginResponse {
        OriginResponse(type: type, content: .data(data))
    }

    /// Returns a response with text in UTF-8.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> OriginResponse {
        OriginResponse(type: type, content: .data(Data(text.utf8)))
    }

    /// Returns a response with an image, encoded for each request; a 500 for a format without an encoder.
    public static func image(_ image: TestImage, _ format: ImageFormat = .png) -> OriginResponse {
        OriginResponse(type: format.mediaType, content: .image(image, format))
    }

    /// Returns a response with a file, read for each request, and a type by its extension; a 404 if it cannot be read.
    public static func file(_ path: String) -> OriginResponse {
        let fileExtension = URL(filePath: path).pathExtension.lowercased()
        let type = types[fileExtension] ?? ImageFormat.known.first { $0.fileExtension == fileExtension }?.mediaType
        return OriginResponse(type: type ?? "application/octet-stream", content: .file(path: path))
    }

    /// Types other than images, and alternative extensions of images.
    private static let types = [
        "html": "text/html; charset=utf-8", "txt": "text/plain; charset=utf-8", "json": "application/json",
        "apng": "image/apng", "jpeg": "image/jpeg", "tiff": "image/tiff",
    ]

    /// Returns a response with a status and no body.
    public static func status(_ status: Int) -> OriginResponse { OriginResponse(status: status) }

    /// Returns a redirect to an absolute or relative location. Two redirects to each other form a loop.
    public static func redirect(to location: String, status: Int = 302) -> OriginResponse {
        OriginResponse(status: status).with(headers: ["Location": location])
    }
}

extension OriginResponse {
    /// Returns a copy with these fields, which replace fields of the same name.
    public func with(headers: HTTPHeaders) -> OriginResponse {
        var copy = self
        for field in headers.fields { copy.headers[field.name] = nil }
        for field in headers.fields { copy.headers.append(name: field.name, value: field.value) }
        return copy
    }

    /// Returns a copy with these faults appended.
    public func with(faults: [OriginFault]) -> OriginResponse { copy { $0.faults += faults } }

    /// Returns a copy that requires these credentials.
    public func requiring(_ authorization: OriginAuthorization) -> OriginResponse {
        copy { $0.authorization = authorization }
    }

    /// Returns a copy that is compressed with gzip for clients that accept it.
    public func compressed() -> OriginResponse { copy { $0.isCompressed = true } }

    private func copy(changing change: (inout OriginResponse) -> Void) -> OriginResponse {
        var copy = self
        change(&copy)
        return copy
    }
}

extension OriginResponse {
    /// Reads and encodes the body, and compresses it if `request` accepts that. Blocks.
    func respond(to request: OriginRequest) -> ServerResponse {
        do throws(ImageError) {
            let body = try body()
            guard isCompressed, request.headers.all("Accept-Encoding").contains(where: { $0.contains("gzip") }) else {
                return ServerResponse(to: request, with: self, body: body)
            }
            let compressed = with(headers: ["Content-Encoding": "gzip"])
            return ServerResponse(to: request, with: compressed, body: try Gzip.compress(body))
        } catch {
            let isMissing = (error.code == .unreadable)
            return ServerResponse(
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
                throw .unreadable(path: path, reason: String(describing: error)).caused(by: error)
            }
        }
    }
}

/// The credentials that a route requires.
public enum OriginAuthorization: Sendable, Equatable {
    /// A name and a password (RFC 7617).
    case basic(user: String, password: String)
    /// A token (RFC 6750).
    case bearer(String)

    /// The accepted `Authorization` field.
    public var field: String {
        switch self {
        case .basic(let user, let password): "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        }
    }

    /// The `WWW-Authenticate` field for other requests.
    var challenge: String {
        switch self {
        case .basic: "Basic realm=\"origin\", charset=\"UTF-8\""
        case .bearer: "Bearer realm=\"origin\""
        }
    }
}

/// A compressor that writes gzip (RFC 1952) for `Content-Encoding`.
enum Gzip {
    /// Compresses at the highest level, so that a small response can contain a very large body. Blocks.
    static func compress(_ data: Data) throws(ImageError) -> Data {
        guard let compressor = libdeflate_alloc_compressor(12) else {
            throw .unsupported("No memory is available to compress a response.")
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
